/** What a run costs where nothing changed: an answer of 304, and the same content after a new download. */

import { once } from 'node:events'
import { createReadStream, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { csvFile } from '../harness/inputs.ts'
import { figure, seenLine, timesLine } from '../harness/lines.ts'
import type { Measured } from '../harness/measure.ts'
import { type BenchRow, sized } from '../harness/row.ts'
import { rowsPipeline, scratchStore, writePipeline } from '../harness/scratch-store.ts'
import { twoIndexes } from './csv.ts'

const sizes = { tiny: 1_000, reduced: 500_000, full: 2_000_000 } as const

/** A publisher of one file, on the loopback interface, that counts what it is asked for. */
const publisher = async (file: string) => {
  const seen = { requests: 0, bodyBytes: 0 }
  let etag = '"1"'
  let isOtherwise = false
  const server = createServer((request, response) => {
    seen.requests += 1
    response.setHeader('etag', etag)
    if (request.headers['if-none-match'] === etag) {
      response.writeHead(304).end()
      return
    }
    const size = statSync(file).size + (isOtherwise ? 2 : 0)
    response.writeHead(200, { 'content-type': 'text/csv', 'content-length': size })
    if (request.method === 'HEAD') {
      response.end()
      return
    }
    seen.bodyBytes += size
    // The same rows in other bytes: the first name of the header is written in quotes.
    if (isOtherwise) response.write('"id"')
    pipeline(createReadStream(file, { start: isOtherwise ? 'id'.length : 0 }), response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the publisher has no port')
  return {
    url: `http://127.0.0.1:${address.port}/rows.csv`,
    /** The same bytes, or the same rows in other bytes, under a new name of their version. */
    publishAgain: (bytes: 'same bytes' | 'other bytes') => {
      etag = `"${Number(etag.slice(1, -1)) + 1}"`
      isOtherwise = bytes === 'other bytes'
    },
    /** What was asked for since the last call. */
    seen: () => {
      const { requests, bodyBytes } = seen
      seen.requests = 0
      seen.bodyBytes = 0
      return { requests, bodyBytes }
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** What a run meets: nothing yet, the same version, the same content as a new one. */
const kinds = ['whole', 'asked', 'same bytes', 'other bytes'] as const

const megabytes = (bytes: number): string => `${figure(bytes / 1e6)} MB`

export const unchanged: BenchRow = {
  name: 'unchanged',
  title: 'A run where nothing changed',
  run: async (bench) => {
    const count = sized(bench, sizes)
    const file = await csvFile(bench, count)
    const source = await publisher(file)
    const runs = new Map<string, { readonly run: Measured; readonly requests: number; readonly bodyBytes: number }[]>(
      kinds.map((kind) => [kind, []]),
    )
    try {
      for (let round = 0; round < bench.rounds; round += 1) {
        const store = scratchStore(bench, 'published-rows')
        writePipeline(
          store,
          'rows',
          rowsPipeline({ indexes: twoIndexes }).replace('https://rows.example/rows.csv', source.url),
        )
        for (const kind of kinds) {
          if (kind === 'same bytes' || kind === 'other bytes') source.publishAgain(kind)
          source.seen()
          const run = await store.ingest('rows', [], kind === 'whole' ? 'published' : 'unchanged')
          runs.get(kind)?.push({ run, ...source.seen() })
        }
        source.publishAgain('same bytes')
        store.remove()
      }
    } finally {
      await source.close()
    }
    const timesOf = (kind: (typeof kinds)[number]): Measured[] => runs.get(kind)?.map(({ run }) => run) ?? []
    const words = (kind: (typeof kinds)[number]): string => {
      const last = runs.get(kind)?.at(-1)
      if (last === undefined) return ''
      const { requests, bodyBytes, run } = last
      return `${requests} requests, ${megabytes(bodyBytes)} of body; read ${megabytes(run.readBytes)}, wrote ${megabytes(run.writtenBytes)}`
    }
    const rows = `CSV, ${count.toLocaleString('en')} rows, two indexes`
    const asked = runs.get('asked')?.at(-1)
    return [
      timesLine({ what: `${rows}: 304`, against: 'full run' }, timesOf('asked'), timesOf('whole')),
      seenLine(`${rows}: 304`, 'data read', words('asked'), {
        theirs: words('whole'),
        goal: 'no pass over data',
        // What a process of Node and our own code takes is a few megabytes.
        holds: asked?.bodyBytes === 0 && asked.run.readBytes < Math.max(statSync(file).size / 4, 10e6),
      }),
      ...(['same bytes', 'other bytes'] as const).flatMap((kind) => [
        timesLine(
          { what: `${rows}: same content, ${kind}`, against: 'full run', goal: { atMost: 1 } },
          timesOf(kind),
          timesOf('whole'),
        ),
        seenLine(`${rows}: same content, ${kind}`, 'data read and written', words(kind), { theirs: words('whole') }),
      ]),
    ]
  },
}
