/** Generated inputs, kept from run to run. The name tells who made them, so that a changed generator makes new ones. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { measure } from './measure.ts'
import type { Bench } from './row.ts'

const benchFolder = join(import.meta.dirname, '..')
const companyGenerator = join(benchFolder, '..', 'data', 'offeneregister')

const sourcesOf = (path: string): string[] =>
  statSync(path).isDirectory()
    ? readdirSync(path)
        .filter((name) => name.endsWith('.ts'))
        .sort()
        .map((name) => join(path, name))
    : [path]

const digestOf = (paths: readonly string[]): string => {
  const hash = createHash('sha256')
  for (const path of paths.flatMap(sourcesOf)) hash.update(readFileSync(path))
  return hash.digest('hex').slice(0, 8)
}

interface Wanted {
  /** Generator, and what else its output depends on. */
  readonly generator: string
  readonly also?: readonly string[]
  readonly args: readonly string[]
  readonly name: string
  readonly ending: string
}

const inputFile = async (bench: Bench, { generator, also = [], args, name, ending }: Wanted): Promise<string> => {
  const script = join(benchFolder, generator)
  mkdirSync(bench.inputs, { recursive: true })
  const path = join(bench.inputs, `${name}-${digestOf([script, ...also])}${ending}`)
  if (existsSync(path)) return path
  bench.say(`generating ${name}${ending}`)
  const half = join(bench.inputs, `.half-${process.pid}-${name}${ending}`)
  try {
    await measure(process.execPath, [script, ...args, '--out', half], { signal: bench.signal })
    renameSync(half, path)
  } finally {
    rmSync(half, { force: true })
  }
  return path
}

const shareName = (changed: number): string => (changed === 0 ? '' : `-changed-${changed}`)

/** A GTFS feed with about so many stop_times, zipped. */
export const gtfsFeed = (bench: Bench, stopTimes: number): Promise<string> =>
  inputFile(bench, {
    generator: 'generate-gtfs.ts',
    args: [String(stopTimes)],
    name: `feed-${stopTimes}`,
    ending: '.zip',
  })

/** A CSV file of so many rows of eight columns; of which a share differs from that without. */
export const csvFile = (bench: Bench, rows: number, changed = 0): Promise<string> =>
  inputFile(bench, {
    generator: 'generate-rows.ts',
    args: [String(rows), '--changed', String(changed)],
    name: `rows-${rows}${shareName(changed)}`,
    ending: '.csv',
  })

/** JSON Lines of so many companies, plain or packed by bzip2. */
export const companyFile = (bench: Bench, companies: number, ending: '.jsonl' | '.jsonl.bz2'): Promise<string> =>
  inputFile(bench, {
    generator: 'generate-companies.ts',
    also: [companyGenerator],
    args: [String(companies)],
    name: `companies-${companies}`,
    ending,
  })
