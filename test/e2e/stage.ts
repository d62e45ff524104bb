/** A store of its own, a publisher with deliveries, and a gateway as a process: the stage of end-to-end tests. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Running, runCommand, startCommand } from '../../src/demo/processes.ts'
import { packageRoot } from '../../src/package-root.ts'

const dataset = 'offeneregister'

/** A bundled sample's file. */
export const sampleFile = (date: string): string =>
  join(packageRoot, 'data', dataset, date, 'de_companies_ocdata.jsonl.bz2')

export const firstSample = sampleFile('2026-10-01')
export const secondSample = sampleFile('2026-11-01')

/** One result of `ingest --json`, as DESIGN §4.3 has it. */
export interface IngestResult {
  readonly outcome: string
  readonly version: string
  readonly previous: string | null
  readonly rows: Readonly<Record<string, number>>
  readonly rejected: number
  readonly changes: Readonly<
    Record<string, { readonly added: number; readonly removed: number; readonly changed: number }>
  >
  readonly reason?: { readonly code: string; readonly message: string }
}

export interface Stage {
  readonly root: string
  readonly env: NodeJS.ProcessEnv
  /** Path of the pointer. */
  readonly pointer: string
  run(...args: string[]): Promise<{ readonly status: number; readonly stdout: string }>
  ingest(file: string, ...flags: string[]): Promise<IngestResult & { readonly status: number }>
  json(...args: string[]): Promise<unknown>
  /** Starts a gateway over HTTP on a free port. */
  gateway(): Promise<string>
  close(): Promise<void>
}

export const openStage = async (settings: NodeJS.ProcessEnv = {}): Promise<Stage> => {
  const root = await mkdtemp(join(tmpdir(), 'stichtag-e2e-'))
  const env = { ...process.env, STICHTAG_LOG: 'info', ...settings, STICHTAG_HOME: root }
  const running: Running[] = []
  const run = (...args: string[]) => runCommand(args, env)
  return {
    root,
    env,
    pointer: join(root, 'data', 'openregister.db'),
    run,
    ingest: async (file, ...flags) => {
      const { status, stdout } = await run('ingest', dataset, '--from', file, '--json', ...flags)
      // The documented output of our own command.
      const [result] = JSON.parse(stdout) as IngestResult[]
      if (result === undefined) throw new Error('ingest printed no result')
      return { ...result, status }
    },
    json: async (...args) => JSON.parse((await run(...args, '--json')).stdout),
    gateway: async () => {
      const gateway = startCommand(['serve', '--http', '127.0.0.1:0'], env)
      running.push(gateway)
      const { url } = await gateway.line((line) => typeof line.url === 'string')
      return String(url)
    },
    close: async () => {
      await Promise.all(running.map((each) => each.stop()))
      await rm(root, { recursive: true, force: true })
    },
  }
}

/** Company numbers in a JSON Lines file that is not compressed, or in a list of records. */
export const companyUri = (number: string): string => `${dataset}://company/${number}`

/** The text of a file beside the tests. */
export const textOf = (path: string): Promise<string> => readFile(path, 'utf8')
