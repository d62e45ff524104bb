/**
 * The benchmark: `pnpm bench [row…] [--full] [--rounds N]` runs all rows or those named, prints each with ours, theirs, the ratio
 * and whether the goal holds, and writes them into RESULTS.md with date, machine and commit.
 *
 * Ours and theirs are run in turn, so that whatever else the machine does meets both. Wall time counts; the processor
 * time beside it helps to tell a slow program from a busy machine. What a run leaves in its work folder is removed, also where
 * it fails; generated inputs and installed peers stay in the cache folder.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { homedir, loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { seenLine } from './harness/lines.ts'
import { installPeers } from './harness/peers.ts'
import { missingOfAll } from './harness/programs.ts'
import { writeResult } from './harness/results-file.ts'
import type { Bench, BenchRow, Size } from './harness/row.ts'
import { terminalTable } from './harness/table.ts'
import { rows } from './rows/all.ts'

const resultsPath = join(import.meta.dirname, 'RESULTS.md')

const usage = (): string =>
  [
    'usage: pnpm bench [row…] [--full | --tiny] [--rounds N] [--folder DIR] [--dry] [--install-peers]',
    '',
    '  --full           the sizes of the goals; without it reduced ones, all rows in less than ten minutes',
    '  --tiny           a few records: shows that a row works, measures nothing',
    '  --rounds N       runs of each side of a comparison (3; with --full 5)',
    '  --folder DIR     keeps inputs, peers and work files there (~/.cache/stichtag-bench)',
    '  --dry            does not write into bench/RESULTS.md',
    '  --install-peers  installs what rows compare with from npm into that folder, and does nothing else',
    '',
    ...rows.map(({ name, title }) => `  ${name.padEnd(15)}  ${title}`),
  ].join('\n')

const say = (text: string): void => void process.stderr.write(`${text}\n`)

const chosen = (names: readonly string[]): BenchRow[] => {
  const unknown = names.filter((name) => !rows.some((row) => row.name === name))
  if (unknown.length > 0) throw new Error(`no row ${unknown.join(', ')}\n\n${usage()}`)
  return rows.filter(({ name }) => names.length === 0 || names.includes(name))
}

/** Runs rows one after the other; one that fails says so in its place, and the others are run. */
const runRows = async (wanted: readonly BenchRow[], bench: Bench, write: boolean): Promise<boolean> => {
  let failed = false
  for (const row of wanted) {
    const load = loadavg()[0] ?? 0
    const at = new Date()
    say(`\n${row.title} (${row.name})`)
    try {
      const lines = await row.run(bench)
      const seconds = (Date.now() - at.getTime()) / 1000
      process.stdout.write(`\n${terminalTable(lines)}\n`)
      if (write) writeResult(resultsPath, { row, size: bench.size, rounds: bench.rounds, lines, at, seconds, load })
    } catch (error) {
      bench.signal.throwIfAborted()
      failed = true
      const why = error instanceof Error ? error.message : String(error)
      process.stdout.write(`\n${terminalTable([seenLine(row.title, '', 'failed', { note: why })])}\n`)
    }
  }
  return failed
}

const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      full: { type: 'boolean', default: false },
      tiny: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      folder: {
        type: 'string',
        default: join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'stichtag-bench'),
      },
      dry: { type: 'boolean', default: false },
      'install-peers': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return say(usage())
  const wanted = chosen(positionals)
  const size: Size = values.full ? 'full' : values.tiny ? 'tiny' : 'reduced'
  const rounds = Number(values.rounds ?? { tiny: 1, reduced: 3, full: 5 }[size])
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new Error(`--rounds ${values.rounds}: a whole number from 1 on is needed`)
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => interrupted.abort(new Error(`ended by ${signal}`)))
  const work = join(values.folder, `work-${process.pid}`)
  const bench: Bench = {
    size,
    rounds,
    inputs: join(values.folder, 'inputs'),
    peers: join(values.folder, 'peers'),
    work,
    signal: interrupted.signal,
    say,
  }
  const missing = missingOfAll()
  if (missing !== undefined) say(missing)
  if (values['install-peers']) return installPeers(bench)
  mkdirSync(work, { recursive: true })
  try {
    const failed = await runRows(wanted, bench, !values.dry && size !== 'tiny')
    if (failed) process.exitCode = 1
  } finally {
    rmSync(work, { recursive: true, force: true, maxRetries: 3 })
  }
}

try {
  await main()
} catch (error) {
  say(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
