import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { download } from '../../src/ingest/download.ts'
import type { Waiting } from '../../src/ingest/download-retry.ts'
import { downloadsFolder } from '../../src/store/layout.ts'
import { type Random, seeded } from '../formats/random.ts'
import { places } from '../pipeline/places.ts'
import { startScript } from '../store/child.ts'
import { scratchFolder, scratchStore, treeOf } from '../store/scratch-store.ts'
import { type Behaviour, serve } from './download-server.ts'
import { current, ingest, linesOf, manyPlaces } from './ingesting.ts'

const seed = Date.now() % 1_000_000
const random: Random = seeded(seed)

const cuts = 10
const body = Buffer.from(Array.from({ length: 600_000 }, () => random(256)))
const sha256 = createHash('sha256').update(body).digest('hex')

/** So many different offsets within a text, in order. */
const offsetsIn = (length: number): number[] => {
  const offsets = new Set<number>()
  while (offsets.size < cuts) offsets.add(1 + random(length - 1))
  return [...offsets].sort((one, other) => one - other)
}

interface Publisher {
  readonly url: string
  /** Bytes of bodies that were sent, in all. */
  readonly served: () => number
  /** Publishes another file in place of the one there was. */
  publish(content: Buffer, offsets: readonly number[]): void
}

/**
 * A publisher that serves ranges, and breaks off each time it comes to the next of the offsets, once at each. It ends
 * with `end`: closes the connection, unless told otherwise.
 */
const cuttingPublisher = async (
  first: Buffer,
  firstOffsets: readonly number[],
  end: (response: ServerResponse) => void = (response) => void response.destroy(),
): Promise<Publisher> => {
  let content = first
  let left = [...firstOffsets]
  let served = 0
  const behaviour: Behaviour = ({ headers }, response) => {
    const etag = `"${createHash('sha256').update(content).digest('hex')}"`
    const [, wanted] = /^bytes=(\d+)-$/.exec(headers.range ?? '') ?? []
    const from = wanted !== undefined && headers['if-range'] === etag ? Number(wanted) : 0
    const cut = left.find((offset) => offset > from)
    left = left.filter((offset) => offset !== cut)
    const sent = content.subarray(from, cut)
    served += sent.length
    const range = from === 0 ? {} : { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` }
    response.writeHead(from === 0 ? 200 : 206, { etag, 'content-length': content.length - from, ...range })
    if (cut === undefined) response.end(sent)
    else response.write(sent, () => end(response))
  }
  const server = await serve(behaviour)
  onTestFinished(() => server[Symbol.asyncDispose]())
  return {
    url: server.url,
    served: () => served,
    publish: (next, offsets) => {
      content = next
      left = [...offsets]
    },
  }
}

/** Does not sleep: the clock jumps. */
const impatient = (): Waiting => {
  let clock = 0
  return {
    now: () => clock,
    random: () => 1,
    sleep: async (ms) => {
      clock += ms
    },
  }
}

const fetchTo = (folder: string, url: string, attempts?: number) =>
  download(
    { url, folder, name: 'register.bin', limits: attempts === undefined ? {} : { attempts } },
    { signal: new AbortController().signal, waiting: impatient() },
  )

/** What was on its way at the moment of a cut may be lost with it, and is sent again. */
const expectAboutOnce = (served: number, size: number): void => {
  expect(served).toBeGreaterThanOrEqual(size)
  expect(served).toBeLessThan(size * 1.02)
}

describe(`a publisher that cuts the connection at ${cuts} random offsets (seed ${seed})`, () => {
  it('is fetched whole, each byte once', async () => {
    const folder = scratchFolder()
    const publisher = await cuttingPublisher(body, offsetsIn(body.length))
    expect(await fetchTo(folder, publisher.url)).toMatchObject({ sha256, bytes: body.length, resumed: true })
    expect(readFileSync(join(folder, 'register.bin')).equals(body)).toBe(true)
    expectAboutOnce(publisher.served(), body.length)
  })

  it('is fetched whole over as many runs, each byte once', async () => {
    const folder = scratchFolder()
    const publisher = await cuttingPublisher(body, offsetsIn(body.length))
    for (let run = 0; run < cuts; run += 1) {
      await expect(fetchTo(folder, publisher.url, 1)).rejects.toMatchObject({ code: 'SOURCE_FAILED' })
    }
    expect(await fetchTo(folder, publisher.url, 1)).toMatchObject({ sha256, resumed: true })
    expectAboutOnce(publisher.served(), body.length)
  })

  it('and has another file by then is fetched anew, and nothing of the earlier file is in it', async () => {
    const folder = scratchFolder()
    const publisher = await cuttingPublisher(Buffer.alloc(body.length, 'x'), offsetsIn(body.length))
    await expect(fetchTo(folder, publisher.url, 1)).rejects.toMatchObject({ code: 'SOURCE_FAILED' })
    const before = publisher.served()
    publisher.publish(body, offsetsIn(body.length))
    expect(await fetchTo(folder, publisher.url)).toMatchObject({ sha256 })
    expectAboutOnce(publisher.served() - before, body.length)
  })
})

describe('a run that is killed while it downloads', () => {
  it('is gone on with by the next process, from the byte it had come to', async () => {
    const store = scratchStore()
    const delivery = Buffer.from(linesOf(manyPlaces(5000)))
    const at = 1 + random(delivery.length - 1)
    // It stalls where it would break off: the process is killed while it waits.
    const publisher = await cuttingPublisher(delivery, [at], () => undefined)
    const child = startScript(new URL('./faulty-run.ts', import.meta.url), [])
    child.process.stdin?.write(`${JSON.stringify({ root: store.root, from: publisher.url, fault: '', where: '' })}\n`)
    const part = join(downloadsFolder(store, 'places'), 'places.jsonl.gz.part')
    await vi.waitFor(() => expect(statSync(part).size).toBe(at), { timeout: 30_000, interval: 20 })
    child.process.kill('SIGKILL')
    await child.ended()
    const sources = places.sources.map((source) => ({ ...source, url: publisher.url }))
    const result = await ingest(store, undefined, { definition: { ...places, sources } })
    expect([seed, result]).toEqual([
      seed,
      expect.objectContaining({ outcome: 'published', rows: { place: 5000, visit: 0 } }),
    ])
    expectAboutOnce(publisher.served(), delivery.length)
    expect(current(store).sources).toMatchObject([{ bytes: delivery.length }])
    expect(Object.keys(treeOf(downloadsFolder(store, 'places'))).filter((name) => name.includes('.part'))).toEqual([])
  }, 60_000)
})
