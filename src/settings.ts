/**
 * Every setting that comes from the environment, in one list: the command line's help and `docs/settings.md` are made
 * from it, and a test fails when one is missing there.
 */
import { homedir } from 'node:os'
import { join } from 'node:path'

/** One setting: its environment variable, the value without it, and a sentence for people. */
export interface Setting {
  readonly name: string
  readonly fallback: string
  readonly help: string
}

export const settings = [
  { name: 'STICHTAG_HOME', fallback: '~/.flowmcp', help: 'Root of the global store.' },
  {
    name: 'STICHTAG_SOURCE_<DATASET>',
    fallback: "the pipeline's own URL",
    help: 'Another URL for a dataset (a mirror, a test publisher); the id in capitals, `-` as `_`.',
  },
  {
    name: 'STICHTAG_CRON_<DATASET>',
    fallback: "the pipeline's own schedule",
    help: 'Another cron expression for a dataset; six fields start with seconds.',
  },
  { name: 'STICHTAG_LOG', fallback: 'info', help: 'Least level that is logged: debug, info, warn, error, silent.' },
  { name: 'STICHTAG_QUERY_TIMEOUT', fallback: '2000', help: 'Milliseconds a statement may run before it is killed.' },
  { name: 'STICHTAG_READERS', fallback: 'number of cores, at least 2', help: 'Reader processes of a gateway.' },
] as const satisfies readonly Setting[]

type Environment = Readonly<Record<string, string | undefined>>

const ofDataset = (prefix: string, dataset: string): string => `${prefix}_${dataset.toUpperCase().replaceAll('-', '_')}`

/** Root folder of the global store (DESIGN §4.1). */
export const globalRoot = (env: Environment = process.env): string => env.STICHTAG_HOME || join(homedir(), '.flowmcp')

/** Root folder of the project store: `.flowmcp` in the working directory. */
export const projectRoot = (cwd: string = process.cwd()): string => join(cwd, '.flowmcp')

/** The URL that a setting gives a dataset in place of the pipeline's own, if any. */
export const sourceOverride = (dataset: string, env: Environment = process.env): string | undefined =>
  env[ofDataset('STICHTAG_SOURCE', dataset)] || undefined

/** The cron expression that a setting gives a dataset in place of the pipeline's own, if any. */
export const cronOverride = (dataset: string, env: Environment = process.env): string | undefined =>
  env[ofDataset('STICHTAG_CRON', dataset)] || undefined

/** Milliseconds a statement may run, and how many reader processes a gateway keeps (`undefined`: as many as cores). */
export const queryTimeoutMs = (env: Environment = process.env): number => positive(env.STICHTAG_QUERY_TIMEOUT, 2000)
export const readerCount = (env: Environment = process.env): number | undefined =>
  env.STICHTAG_READERS ? positive(env.STICHTAG_READERS, 2) : undefined

const positive = (text: string | undefined, fallback: number): number => {
  const value = Number(text)
  return Number.isInteger(value) && value > 0 ? value : fallback
}
