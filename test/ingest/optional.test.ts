import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { PipelineDefinition, SourceDefinition } from '../../src/pipeline/types.ts'
import type { Store } from '../../src/store/layout.ts'
import { places } from '../pipeline/places.ts'
import { scratchFolder, scratchStore } from '../store/scratch-store.ts'
import { type Behaviour, fileServer, serve, status } from './download-server.ts'
import { current, ingest, linesOf, place, query } from './ingesting.ts'

const main = linesOf([place('a'), place('b')])
const more = linesOf([place('m')])

const definitionOf = (urlOf: (name: string) => string): PipelineDefinition => {
  const [source] = places.sources
  if (source === undefined) throw new Error('no source')
  const named = (name: string): SourceDefinition => ({ ...source, name, url: urlOf(name) })
  return {
    ...places,
    guards: { maxShrink: 1 },
    sources: [named('main.jsonl'), { ...named('more.jsonl'), optional: true }],
  }
}

/** A publisher of two files, the second of which may be absent; with the answers it gave. */
const publisher = async (files: Record<string, Behaviour>) => {
  const answers: string[] = []
  const server = await serve((request, response) => {
    const path = (request.url ?? '').slice(1)
    response.on('finish', () => answers.push(`${path} ${response.statusCode}`))
    const behaviour = files[path] ?? status(404)
    behaviour(request, response)
  })
  onTestFinished(() => server[Symbol.asyncDispose]())
  return { files, answers, definition: definitionOf((name) => server.url.replace('register.csv', name)) }
}

const ids = (store: Store): unknown[] => query(store, 'SELECT id FROM place ORDER BY id').flat()
const served = (text: string): Behaviour => fileServer(text, { etag: JSON.stringify(String(text.length)) })

/** Without a word of where it was looked for: hosts read it. */
const warning = 'more.jsonl: the source has no such file; it was left out, as it may be'

describe('an optional source', () => {
  it.each([404, 410])('that answers %i is left out, and warned of', async (code) => {
    const store = scratchStore()
    const { definition } = await publisher({ 'main.jsonl': served(main), 'more.jsonl': status(code) })
    expect(await ingest(store, undefined, { definition })).toMatchObject({ outcome: 'published', rows: { place: 2 } })
    expect(current(store).sources.map(({ name }) => name)).toEqual(['main.jsonl'])
    expect(current(store).warnings).toEqual([warning])
  })

  it('that stays away costs no bytes and no rebuilding', async () => {
    const store = scratchStore()
    const { definition, answers } = await publisher({ 'main.jsonl': served(main) })
    await ingest(store, undefined, { definition })
    answers.length = 0
    expect((await ingest(store, undefined, { definition })).outcome).toBe('unchanged')
    expect(answers).toEqual(['main.jsonl 304', 'more.jsonl 404'])
  })

  it('that comes is taken, and one that goes takes its records with it', async () => {
    const store = scratchStore()
    const { definition, files, answers } = await publisher({ 'main.jsonl': served(main) })
    await ingest(store, undefined, { definition })
    files['more.jsonl'] = served(more)
    expect((await ingest(store, undefined, { definition })).outcome).toBe('published')
    expect(ids(store)).toEqual(['a', 'b', 'm'])
    delete files['more.jsonl']
    answers.length = 0
    expect((await ingest(store, undefined, { definition })).outcome).toBe('published')
    expect(ids(store)).toEqual(['a', 'b'])
    expect(answers).toEqual(['main.jsonl 304', 'more.jsonl 404'])
  })

  it('that is absent is absent in a rebuilding with another mapping too', async () => {
    const store = scratchStore()
    const { definition, answers } = await publisher({ 'main.jsonl': served(main) })
    await ingest(store, undefined, { definition })
    answers.length = 0
    const rebuilt = await ingest(store, undefined, { definition, fingerprint: 'another' })
    expect(rebuilt).toMatchObject({ outcome: 'published', rows: { place: 2 } })
    expect(answers).toEqual(['main.jsonl 304', 'more.jsonl 404'])
  })

  it.each([500, 403])('that answers %i fails the run: what is there is not to be lost', async (code) => {
    const store = scratchStore()
    const { definition } = await publisher({ 'main.jsonl': served(main), 'more.jsonl': served(more) })
    await ingest(store, undefined, { definition })
    const failing = await publisher({
      'main.jsonl': served(main),
      'more.jsonl': status(code, { 'retry-after': '9999' }),
    })
    const result = await ingest(store, undefined, { definition: failing.definition })
    expect(result).toMatchObject({ outcome: 'failed', reason: { code: 'SOURCE_FAILED' } })
    expect(ids(store)).toEqual(['a', 'b', 'm'])
  })

  it('may be absent from a folder; the other one, and the folder, must be there', async () => {
    const store = scratchStore()
    const definition = definitionOf((name) => `http://127.0.0.1:9/${name}`)
    const folder = scratchFolder()
    writeFileSync(join(folder, 'main.jsonl'), main)
    expect(await ingest(store, folder, { definition })).toMatchObject({ outcome: 'published', rows: { place: 2 } })
    expect(current(store).warnings).toEqual([warning])
    writeFileSync(join(folder, 'more.jsonl'), more)
    rmSync(join(folder, 'main.jsonl'))
    expect(await ingest(store, folder, { definition })).toMatchObject({
      outcome: 'failed',
      reason: { code: 'FILE_NOT_FOUND', message: expect.stringContaining('main.jsonl') },
    })
  })
})

describe('a source that only a person may leave out', () => {
  const partly = (definition: PipelineDefinition): PipelineDefinition => ({
    ...definition,
    sources: definition.sources.map((source) =>
      source.optional === true ? { ...source, optional: { byHand: 'more places' } } : source,
    ),
  })

  it('may be absent from a folder, which is told as a part of the whole', async () => {
    const store = scratchStore()
    const folder = scratchFolder()
    writeFileSync(join(folder, 'main.jsonl'), main)
    const definition = partly(definitionOf((name) => `http://127.0.0.1:9/${name}`))
    expect(await ingest(store, folder, { definition })).toMatchObject({ outcome: 'published', rows: { place: 2 } })
    expect(current(store)).toMatchObject({
      lacking: { 'more.jsonl': 'more places' },
      warnings: [
        'more.jsonl: not among the files that were given: more places are not here, though the publisher has them',
      ],
    })
    expect((await ingest(store, folder, { definition })).outcome).toBe('unchanged')
  })

  it('must be there at the publisher, and at a URL given in its place', async () => {
    const store = scratchStore()
    const { definition } = await publisher({ 'main.jsonl': served(main) })
    const strict = partly(definition)
    const url = (strict.sources[0]?.url ?? '').replace('/main.jsonl', '')
    for (const from of [undefined, url])
      expect(await ingest(store, from, { definition: strict })).toMatchObject({
        outcome: 'failed',
        reason: { code: 'SOURCE_RETIRED' },
      })
  })
})
