/** What a publisher's index says of a file that lies beside it, and one file given for several sources. */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { PipelineDefinition, RemoteFile, SourceDefinition } from '../../src/pipeline/types.ts'
import { places } from '../pipeline/places.ts'
import { scratchFolder, scratchStore } from '../store/scratch-store.ts'
import { current, delivery, ingest, linesOf, manyPlaces } from './ingesting.ts'

const indexSchema = z.object({
  url: z.string(),
  bytes: z.number().optional(),
  sha1: z.string().optional(),
  sha256: z.string().optional(),
  records: z.number().optional(),
  publisherDate: z.string().optional(),
})

const [source] = places.sources
if (source === undefined) throw new Error('no source')

const having = (...sources: readonly SourceDefinition[]): PipelineDefinition => ({ ...places, sources })

const indexed = having({
  ...source,
  name: 'places.jsonl',
  // zod's optional fields may be undefined, which those of the result never are.
  index: { name: 'index.json', describe: (index) => indexSchema.parse(index) as RemoteFile },
})

const text = linesOf(manyPlaces(3))
const hashed = (algorithm: string): string => createHash(algorithm).update(text).digest('hex')

const folderOf = (index: string | object, name = 'places.jsonl', content: string | Buffer = text): string => {
  const folder = scratchFolder()
  writeFileSync(join(folder, name), content)
  writeFileSync(join(folder, 'index.json'), typeof index === 'string' ? index : JSON.stringify({ url: 'x', ...index }))
  return folder
}

describe('an index that lies beside a file', () => {
  it('says size, checksums, date and number of records', async () => {
    const store = scratchStore()
    const said = { bytes: text.length, sha1: hashed('sha1').toUpperCase(), sha256: hashed('sha256') }
    const folder = folderOf({ ...said, records: 4, publisherDate: '2026-11-30' })
    expect((await ingest(store, folder, { definition: indexed })).outcome).toBe('published')
    expect(current(store)).toMatchObject({
      publisherDate: '2026-11-30',
      warnings: [expect.stringContaining('4 records, but 3 were read')],
    })
  })

  it.each([
    ['size', { bytes: 1 }, 'bytes and should have 1'],
    ['SHA-1', { sha1: '0'.repeat(40) }, `its SHA-1 is not ${'0'.repeat(40)}`],
    ['SHA-256', { sha256: '0'.repeat(64) }, `its SHA-256 is not ${'0'.repeat(64)}`],
  ])('refuses a file of another %s', async (_, index, words) => {
    const result = await ingest(scratchStore(), folderOf(index), { definition: indexed })
    expect(result).toMatchObject({ outcome: 'failed', reason: { code: 'NOT_WHAT_IT_SAYS' } })
    expect(result.reason?.message).toContain(`places.jsonl: `)
    expect(result.reason?.message).toContain(words)
  })

  it('that cannot be read is told, not passed over', async () => {
    const result = await ingest(scratchStore(), folderOf('{'), { definition: indexed })
    expect(result).toMatchObject({
      outcome: 'failed',
      reason: { message: expect.stringContaining('index.json is no index') },
    })
  })

  it('says nothing of a file that was packed since, nor of one that is given alone', async () => {
    const packed = folderOf({ bytes: 1 }, 'places.jsonl.gz', gzipSync(text))
    expect((await ingest(scratchStore(), packed, { definition: indexed })).outcome).toBe('published')
    const alone = join(folderOf({ bytes: 1 }), 'places.jsonl')
    expect((await ingest(scratchStore(), alone, { definition: indexed })).outcome).toBe('published')
  })
})

describe('one file for several sources', () => {
  const named = (name: string, optional: boolean): SourceDefinition => ({ ...source, name, optional })

  it('is that of the only one that must be there', async () => {
    const store = scratchStore()
    const definition = having(named('main.jsonl', false), named('more.jsonl', true))
    expect(await ingest(store, delivery(text), { definition })).toMatchObject({
      outcome: 'published',
      rows: { place: 3 },
    })
    expect(current(store).sources.map(({ name }) => name)).toEqual(['main.jsonl'])
  })

  it('is refused where two must be there', async () => {
    const definition = having(named('main.jsonl', false), named('more.jsonl', false))
    const result = await ingest(scratchStore(), delivery(text), { definition })
    expect(result).toMatchObject({ outcome: 'failed', reason: { code: 'USAGE' } })
    expect(result.reason?.message).toContain('give a folder that holds them')
  })
})
