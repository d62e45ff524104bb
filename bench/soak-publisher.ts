/**
 * The publishing side of bench/soak.ts, as a process of its own: runs the pipeline on what lies in a file whenever it is
 * told to, each time an hour later by its own clock, so that retention does in minutes what it does in weeks.
 *
 *     fork('soak-publisher.ts', [storeRoot, file])
 */
import { pino } from 'pino'
import { runPipeline } from '../src/ingest/run.ts'
import { loadPipeline } from '../src/pipeline/discover.ts'

export interface PublisherAnswer {
  readonly outcome: string
  readonly seconds: number
}

const [root = '', file = ''] = process.argv.slice(2)
const hourMs = 3_600_000
const pipeline = await loadPipeline('offeneregister')
let at = Date.UTC(2026, 0, 1)

process.on('message', () => {
  at += hourMs
  const started = performance.now()
  runPipeline(pipeline, {
    store: { root, origin: 'global' },
    options: { from: file },
    schedule: pipeline.definition.schedule,
    nextRun: () => null,
    now: () => new Date(at),
    signal: new AbortController().signal,
    log: pino({ level: 'warn' }),
    onProgress: () => undefined,
  }).then(({ outcome, reason }) => {
    if (reason !== undefined) process.stderr.write(`${reason.message}\n`)
    process.send?.({ outcome, seconds: (performance.now() - started) / 1000 } satisfies PublisherAnswer)
  }, console.error)
})
process.send?.('ready')
