/** Every format and archives, from a source's bytes to rows of a published snapshot. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { FormatDefinition, PipelineDefinition, SourceDefinition } from '../../src/pipeline/types.ts'
import { zipOf } from '../formats/zip-builder.ts'
import { places } from '../pipeline/places.ts'
import { scratchStore } from '../store/scratch-store.ts'
import { current, delivery, ingest, query } from './ingesting.ts'

const definitionOf = (
  format: FormatDefinition,
  more: Partial<SourceDefinition> = {},
  over: Partial<PipelineDefinition> = {},
): PipelineDefinition => ({
  ...places,
  sources: [{ name: 'places.txt', url: 'http://127.0.0.1:9/places.txt', format, ...more }],
  ...over,
})

const xmlMap: PipelineDefinition['map'] = (record, context) => {
  const texts = new Map<string, string>()
  // What readXml gives.
  const { children } = record as { children: readonly { name: string; text: string }[] }
  for (const { name, text } of children) texts.set(name, text)
  context.emit('place', { id: texts.get('id'), name: texts.get('name'), people: texts.get('people') })
}

describe('a source', () => {
  it.each<[string, FormatDefinition, string, Partial<PipelineDefinition>]>([
    ['csv', { type: 'csv', requires: ['id', 'name'] }, 'id,name,people\na,"Aachen, Bad",9007199254740993\n', {}],
    [
      'json',
      { type: 'json', records: '$.all[*]' },
      '{"all":[{"id":"a","name":"Aachen, Bad","people":9007199254740993}]}',
      {},
    ],
    ['jsonl', { type: 'jsonl' }, '{"id":"a","name":"Aachen, Bad","people":9007199254740993}\n', {}],
    [
      'xml',
      { type: 'xml', records: 'place', root: 'places' },
      '<places><place><id>a</id><name>Aachen, Bad</name><people>9007199254740993</people></place></places>',
      { map: xmlMap },
    ],
  ])('of %s becomes rows, and loses no digit', async (_type, format, text, over) => {
    const store = scratchStore()
    const result = await ingest(store, delivery(text, 'places.txt'), { definition: definitionOf(format, {}, over) })
    expect(result).toMatchObject({ outcome: 'published', rows: { place: 1 } })
    expect(query(store, 'SELECT id, name, CAST(people AS TEXT) FROM place')).toEqual([
      ['a', 'Aachen, Bad', '9007199254740993'],
    ])
  })

  it('in an archive in an archive is read, and nothing unpacked is left in the snapshot', async () => {
    const store = scratchStore()
    const inner = zipOf({ name: 'places.csv', content: 'id,name\na,A\n' }, { name: 'LICENCE.txt', content: 'x' })
    const definition = definitionOf({ type: 'csv' }, { name: 'places.zip', archive: { member: '*.csv' } })
    await ingest(store, delivery(zipOf({ name: 'x/feed.zip', content: inner }), 'places.zip'), { definition })
    expect(query(store, 'SELECT id FROM place')).toEqual([['a']])
    const folder = join(store.root, 'data', 'snapshots', 'places', current(store).version)
    expect(existsSync(join(folder, 'data.db'))).toBe(true)
    expect(existsSync(join(folder, 'inner.zip'))).toBe(false)
  })

  it('in an archive may lie unpacked in a folder', async () => {
    const store = scratchStore()
    const definition = definitionOf({ type: 'csv' }, { name: 'places.csv.zip', archive: {} })
    await ingest(store, dirname(delivery('id,name\na,A\n', 'places.csv')), { definition })
    expect(query(store, 'SELECT id FROM place')).toEqual([['a']])
  })
})

describe('what a file says before its records', () => {
  const csv = { type: 'csv', preambleLines: 1 } as const

  it('dates the delivery', async () => {
    const store = scratchStore()
    const preamble: PipelineDefinition['preamble'] = (said, context) => {
      if (said.type === 'csv') context.publisherDate(said.lines[0]?.replace('Report Date: ', '') ?? '')
    }
    const text = 'Report Date: 2026-10-08\nid,name\na,A\n'
    await ingest(store, delivery(text, 'places.txt'), { definition: definitionOf(csv, {}, { preamble }) })
    expect(current(store).publisherDate).toBe('2026-10-08')
  })

  it('may promise a number of records, and another one is warned of', async () => {
    const preamble: PipelineDefinition['preamble'] = (said, context) => {
      if (said.type === 'csv') context.expectRecords(Number(said.lines[0]))
    }
    const definition = definitionOf(csv, {}, { preamble })
    const warningsOf = async (text: string): Promise<readonly string[]> => {
      const store = scratchStore()
      await ingest(store, delivery(text, 'places.txt'), { definition })
      return current(store).warnings.filter((warning) => warning.includes('records'))
    }
    expect(await warningsOf('1\nid,name\na,A\n')).toEqual([])
    expect(await warningsOf('2\nid,name\na,A\n')).toEqual(['places.txt: says that it holds 2 records, but 1 were read'])
  })

  it('that the pipeline stumbles over fails the run', async () => {
    const preamble = (): void => {
      throw new TypeError('no such line')
    }
    const definition = definitionOf(csv, {}, { preamble })
    expect(await ingest(scratchStore(), delivery('x\nid,name\na,A\n', 'places.txt'), { definition })).toMatchObject({
      outcome: 'failed',
      reason: { code: 'PIPELINE_INVALID', message: 'places: places.txt: preamble failed: no such line' },
    })
  })
})
