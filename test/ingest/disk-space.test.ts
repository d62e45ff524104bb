import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { buildingBytes, checkSpace, freeBytes, reserveBytes } from '../../src/ingest/disk-space.ts'
import type { PipelineDefinition } from '../../src/pipeline/types.ts'
import { places } from '../pipeline/places.ts'
import { scratchStore, treeOf } from '../store/scratch-store.ts'
import { fileServer, serve } from './download-server.ts'
import { current, delivery, ingest, linesOf, manyPlaces } from './ingesting.ts'

describe('the space a run needs', () => {
  it('is as many times the delivery as the pipeline says, three times unless said, and what current takes at least', () => {
    expect(buildingBytes(100, undefined, 0)).toBe(300)
    expect(buildingBytes(100, 12.5, 0)).toBe(1250)
    expect(buildingBytes(100, 2, 5000)).toBe(5000)
  })

  it('leaves a reserve: a hundredth of the disk unless a setting says how many MiB', () => {
    const mebibyte = 1024 * 1024
    const own = reserveBytes(join(tmpdir(), 'no', 'such', 'folder'))
    expect(own).toBeGreaterThanOrEqual(4 * mebibyte)
    expect(own).toBeLessThanOrEqual(1024 * mebibyte)
    vi.stubEnv('STICHTAG_RESERVE', '7')
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(reserveBytes(tmpdir())).toBe(7 * mebibyte)
  })

  it('is asked of the disk that the store lies on, also before the store is there', () => {
    expect(freeBytes(join(tmpdir(), 'no', 'such', 'folder'))).toBeGreaterThan(0)
  })

  it('that is there is enough; a byte less is not, and it is said in words', () => {
    const gib = 1024 ** 3
    expect(() => checkSpace('places', '/store', 3 * gib, () => 3 * gib)).not.toThrow()
    expect(() => checkSpace('places', '/store', 3 * gib, () => 1.5 * gib)).toThrow(
      expect.objectContaining({
        code: 'STORE_UNWRITABLE',
        message: expect.stringMatching(/needs about 3\.0 GiB in \/store, and 1\.5 GiB are free/),
        data: { dataset: 'places', folder: '/store', needed: 3 * gib, free: 1.5 * gib },
      }),
    )
  })
})

describe('a run on a disk that is too full', () => {
  const text = linesOf(manyPlaces(50))
  const refused = { outcome: 'failed', reason: { code: 'STORE_UNWRITABLE', message: expect.stringContaining('free') } }
  const at = (url: string): PipelineDefinition => ({
    ...places,
    sources: places.sources.map((source) => ({ ...source, url })),
  })
  const files = (root: string): string[] =>
    Object.keys(treeOf(root)).filter((name) => /downloads\/.+|building/.test(name))

  it('is given up at the answer’s header, before a byte of the body is kept', async () => {
    const store = scratchStore()
    await using server = await serve(fileServer(text, {}))
    const definition = { ...at(server.url), space: 10 }
    const given = { definition, freeBytes: () => text.length * 11 - 1 }
    expect(await ingest(store, undefined, given)).toMatchObject(refused)
    expect(server.requests).toHaveLength(1)
    expect(files(store.root).filter((name) => !name.endsWith('downloads/places'))).toEqual([])
    expect((await ingest(store, undefined, { definition, freeBytes: () => text.length * 11 })).outcome).toBe(
      'published',
    )
  })

  it('goes by the size of the last delivery where the source does not say it', async () => {
    const store = scratchStore()
    await using server = await serve((_request, response) => {
      response.writeHead(200)
      response.write(text)
      response.end()
    })
    const definition = at(server.url)
    await ingest(store, undefined, { definition })
    const needed = text.length + current(store).file.bytes
    expect(await ingest(store, undefined, { definition, freeBytes: () => needed - 1 })).toMatchObject(refused)
    expect((await ingest(store, undefined, { definition, freeBytes: () => needed })).outcome).toBe('unchanged')
  })

  it('is given up before it builds where the delivery lies there already', async () => {
    const store = scratchStore()
    expect(await ingest(store, delivery(text), { freeBytes: () => text.length * 3 - 1 })).toMatchObject(refused)
    expect(files(store.root)).toEqual([])
    expect((await ingest(store, delivery(text), { freeBytes: () => text.length * 3 })).outcome).toBe('published')
  })

  it('is given up while it builds once nothing but the reserve is left, and nothing of it stays', async () => {
    const store = scratchStore()
    await ingest(store, delivery(manyPlaces(3)))
    const { version } = current(store)
    let asked = 0
    // There is room enough when the run begins to build, and others take it.
    const filled = (): number => (asked++ === 0 ? 1e12 : 0)
    const result = await ingest(store, delivery(text), { freeBytes: filled })
    expect(result).toMatchObject({ outcome: 'failed', version, reason: { code: 'STORE_UNWRITABLE' } })
    expect(result.reason?.message).toMatch(/ran full while the snapshot was built.*The current snapshot is unchanged/)
    expect(files(store.root).filter((name) => name.includes('building'))).toEqual([])
    expect((await ingest(store, delivery(text))).outcome).toBe('published')
  })
})
