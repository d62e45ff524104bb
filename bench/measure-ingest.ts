/**
 * Ingests generated companies and measures it: wall time, peak memory of the process, size of the snapshot.
 *
 *     node bench/measure-ingest.ts 1000000 [--changed 0.01]
 *
 * With `--changed` a second delivery follows in which that share of the companies differs, so that compare is measured
 * as well. Needs the system's bzip2.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, statSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { main } from '../src/demo/processes.ts'

const mebibyte = 1024

/** Runs a program to its end, and returns its wall time in seconds and its peak resident memory in MiB. */
const measured = async (
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ seconds: number; peakMiB: number }> => {
  const started = performance.now()
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
  let peak = 0
  const look = setInterval(() => {
    // VmHWM only grows, so that a look now and then sees the peak of everything before it.
    const [, kib] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
    peak = Math.max(peak, Number(kib ?? 0))
  }, 200)
  const ended = once(child, 'exit')
  child.once('exit', () => clearInterval(look))
  const [status] = await ended
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`)
  return { seconds: (performance.now() - started) / 1000, peakMiB: Math.round(peak / mebibyte) }
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { changed: { type: 'string' } } })
const count = positionals[0] ?? '1000000'
const work = await mkdtemp(join(tmpdir(), 'stichtag-measure-'))
try {
  const env = { ...process.env, STICHTAG_HOME: join(work, 'store'), STICHTAG_LOG: 'warn' }
  const generator = join(import.meta.dirname, 'generate-companies.ts')
  const deliveries = [[], ...(values.changed === undefined ? [] : [['--changed', values.changed]])]
  for (const [index, extra] of deliveries.entries()) {
    const file = join(work, `${index}.jsonl.bz2`)
    await measured([generator, count, '--out', file, ...extra], env)
    const { seconds, peakMiB } = await measured([main, 'ingest', 'offeneregister', '--from', file], env)
    const bytes = statSync(join(work, 'store', 'data', 'openregister.db')).size
    process.stdout.write(
      `${JSON.stringify({ companies: Number(count), delivery: index + 1, seconds: Math.round(seconds * 10) / 10, peakMiB, snapshotMB: Math.round(bytes / 1e6) })}\n`,
    )
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}
