/**
 * Many runs in a row, as a scheduler has them over a year, and what they leave: files, handles, memory.
 *
 *     node bench/many-runs.ts 200
 *
 * One process runs the pipeline again and again on a publisher of its own whose delivery now changes, now stays, now is
 * refused, now fails, while the clock goes a day forward with each run. Measured are the first rounds after a warm-up
 * and the last ones. The tests do the same with twenty runs.
 */
import { readdirSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { pino } from 'pino'
import { runPipeline } from '../src/ingest/run.ts'
import { loadPipeline } from '../src/pipeline/discover.ts'
import { quarantineFolder, type Store } from '../src/store/layout.ts'
import { versionsOf } from '../src/store/snapshots.ts'
import { companyLines } from './generate-companies.ts'

export interface ManyRunsReport {
  readonly runs: number
  readonly outcomes: Readonly<Record<string, number>>
  /** Versions kept at the end. */
  readonly versions: number
  readonly quarantined: number
  /** Work areas, half-written names and broken-off downloads at the end. */
  readonly leftovers: readonly string[]
  /** Bytes of the store, open handles of the process, bytes of its live heap: after the warm-up and at the end. */
  readonly storeBytes: readonly [number, number]
  readonly handles: readonly [number, number]
  readonly heapBytes: readonly [number, number]
}

const dataset = 'offeneregister'
const companies = 200
const dayMs = 24 * 60 * 60 * 1000

const bytesBelow = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((total, entry) => total + statSync(join(entry.parentPath, entry.name)).size, 0)

const leftoversBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?:^|\/)\.|\.part(?:\.json)?$|-journal$/.test(name),
  )

/** Open files and sockets; where the system does not list them, none are counted. */
const openHandles = (): number => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0)

/** The heap without garbage. */
const liveHeap = (): number => {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

/** What the publisher has on a day: mostly something new, sometimes the same, too little, or a page of excuses. */
const deliveryOf = (day: number): string => {
  if (day % 10 === 7) return '<!doctype html><html>maintenance</html>'
  const count = day % 10 === 5 ? companies / 4 : companies
  const seed = day % 10 === 3 ? day - 1 : day
  return [...companyLines({ count, seed: 1, changed: 0 })].join('').replaceAll('GmbH', `GmbH ${seed}`)
}

/** Runs the pipeline so often, a day apart. */
export const manyRuns = async (runs: number): Promise<ManyRunsReport> => {
  const root = await mkdtemp(join(tmpdir(), 'stichtag-many-'))
  const store: Store = { root, origin: 'global' }
  let body = ''
  const server = createServer((_request, response) => void response.end(body))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('the publisher has no port')
    const pipeline = await loadPipeline(dataset)
    const { guards: _, ...definition } = pipeline.definition
    const [source] = definition.sources
    if (source === undefined) throw new Error(`${dataset} has no source`)
    const sources = [{ ...source, url: `http://127.0.0.1:${address.port}/companies.jsonl` }]
    const outcomes: Record<string, number> = {}
    const measured = (): readonly [number, number, number] => [bytesBelow(root), openHandles(), liveHeap()]
    const warmUp = Math.floor(runs / 2)
    let before = measured()
    for (let day = 0; day < runs; day += 1) {
      if (day === warmUp) before = measured()
      body = deliveryOf(day)
      const at = new Date(Date.UTC(2026, 0, 1) + day * dayMs)
      const { outcome } = await runPipeline(
        { ...pipeline, definition: { ...definition, sources } },
        {
          store,
          options: {},
          schedule: definition.schedule,
          nextRun: () => null,
          now: () => at,
          signal: new AbortController().signal,
          log: pino({ level: 'silent' }),
          onProgress: () => undefined,
        },
      )
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    }
    const after = measured()
    return {
      runs,
      outcomes,
      versions: versionsOf(store, dataset).length,
      quarantined: readdirSync(quarantineFolder(store, dataset)).length,
      leftovers: leftoversBelow(root),
      storeBytes: [before[0], after[0]],
      handles: [before[1], after[1]],
      heapBytes: [before[2], after[2]],
    }
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await rm(root, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const report = await manyRuns(Number(process.argv[2] ?? 200))
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
}
