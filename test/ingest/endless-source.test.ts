import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { mostBytes } from '../../src/ingest/download-bounds.ts'
import type { PipelineDefinition } from '../../src/pipeline/types.ts'
import { downloadsFolder, type Store } from '../../src/store/layout.ts'
import { readState } from '../../src/store/snapshots.ts'
import { places } from '../pipeline/places.ts'
import { scratchStore } from '../store/scratch-store.ts'
import { type Behaviour, fileServer, serve } from './download-server.ts'
import { current, delivery, ingest, linesOf, manyPlaces } from './ingesting.ts'

const mebibyte = 1024 * 1024
const name = 'places.jsonl.gz'

const at = (url: string): PipelineDefinition => ({
  ...places,
  space: 0,
  sources: places.sources.map((source) => ({ ...source, url })),
})

/** Sends without an end, and without saying a length unless one is given. */
const endless =
  (headers: Readonly<Record<string, string>> = {}): Behaviour =>
  (_request, response) => {
    const chunk = Buffer.alloc(64 * 1024, ' ')
    const go = (): void => {
      while (response.write(chunk)) if (response.destroyed) return
      response.once('drain', go)
    }
    response.writeHead(200, headers)
    go()
  }

const part = (store: Store): string => join(downloadsFolder(store, 'places'), `${name}.part`)

/** A disk of so many MiB, on which nothing else is written than the part. */
const diskOf = (size: number, store: Store) => (): number =>
  size * mebibyte - (statSync(part(store), { throwIfNoEntry: false })?.size ?? 0)

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('a source that never ends', () => {
  it('is given up while there is room, nothing of it stays, and the dataset says that it fails', async () => {
    const store = scratchStore()
    await using server = await serve(endless({ etag: '"e"' }))
    const result = await ingest(store, undefined, { definition: at(server.url), freeBytes: diskOf(5, store) })
    expect(result).toMatchObject({ outcome: 'failed', reason: { code: 'STORE_UNWRITABLE' } })
    expect(result.reason?.message).toMatch(
      /^places: places\.jsonl\.gz: \d\.\d MiB had come of a file whose length the source does not say.*There is no snapshot yet.*removed/,
    )
    expect(server.requests).toHaveLength(1)
    expect(readdirSync(downloadsFolder(store, 'places'))).toEqual([])
    expect(readState(store, 'places').lastRun).toMatchObject({
      outcome: 'failed',
      reason: { code: 'STORE_UNWRITABLE' },
    })
    expect((await ingest(store, delivery(manyPlaces(3)))).outcome).toBe('published')
  })

  it('is given up at the most that may come, whatever room there is', async () => {
    vi.stubEnv('STICHTAG_MAX_DOWNLOAD', '2')
    const store = scratchStore()
    await ingest(store, delivery(manyPlaces(3)))
    const { version } = current(store)
    await using server = await serve(endless())
    const result = await ingest(store, undefined, { definition: at(server.url) })
    expect(result).toMatchObject({ outcome: 'failed', version, reason: { code: 'NOT_WHAT_IT_SAYS' } })
    expect(result.reason?.message).toMatch(
      /did not end, where 2\.0 MiB are expected at most\. The current snapshot is unchanged\. .*STICHTAG_MAX_DOWNLOAD.*removed/,
    )
    expect(readdirSync(downloadsFolder(store, 'places'))).toEqual([])
  })
})

describe('a source that is larger than it may be', () => {
  it('is given up at its header', async () => {
    vi.stubEnv('STICHTAG_MAX_DOWNLOAD', '2')
    const store = scratchStore()
    await using server = await serve(endless({ 'content-length': String(3 * mebibyte) }))
    const result = await ingest(store, undefined, { definition: at(server.url) })
    expect(result.reason?.message).toMatch(/has 3\.0 MiB, where 2\.0 MiB are expected at most/)
    expect(existsSync(part(store))).toBe(false)
  })

  it.each([
    ['64 GiB at first', undefined, undefined, 65_536],
    ['1 GiB after a small one', undefined, 5 * mebibyte, 1024],
    ['ten times the last one', undefined, 300 * mebibyte, 3000],
    ['what a setting says', 7, 300 * mebibyte, 7],
  ])('may have %s', (_words, setting, last, most) => {
    expect(mostBytes(setting, last)).toBe(most * mebibyte)
  })
})

describe('a disk that runs full while a file comes', () => {
  it('keeps what has a length and a validator, and the next run goes on from there', async () => {
    const store = scratchStore()
    const text = linesOf(manyPlaces(4000).map((each) => ({ ...each, name: 'x'.repeat(1000) })))
    await using server = await serve(fileServer(text, { etag: '"1"' }))
    const definition = at(server.url)
    let asked = 0
    // Somebody else fills the disk once the body comes.
    const filled = (): number => (asked++ < 2 ? 1000 * mebibyte : 0)
    const failed = await ingest(store, undefined, { definition, freeBytes: filled })
    expect(failed).toMatchObject({ outcome: 'failed', reason: { code: 'STORE_UNWRITABLE' } })
    expect(failed.reason?.message).toMatch(
      /MiB had come of .* MiB, and .* is kept in .*\.part, and the next run goes on/,
    )
    const kept = statSync(part(store)).size
    expect(kept).toBeGreaterThan(mebibyte)
    expect((await ingest(store, undefined, { definition })).outcome).toBe('published')
    expect(server.requests.map(({ headers: { range } }) => range)).toEqual([undefined, `bytes=${kept}-`])
  })
})
