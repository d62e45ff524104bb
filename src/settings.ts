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
  {
    name: 'STICHTAG_JITTER',
    fallback: "the pipeline's own, or a tenth of the time between two runs, at most 300; 0 for crons of seconds",
    help: 'Most seconds by which a scheduled run starts later than its cron says.',
  },
  {
    name: 'STICHTAG_HOOK',
    fallback: 'none',
    help: 'Command that is told of each run that was published, refused or failed: the result as JSON on its stdin.',
  },
  {
    name: 'STICHTAG_WEBHOOK',
    fallback: 'none',
    help: 'URL that is told of the same by POST, as JSON.',
  },
  { name: 'STICHTAG_LOG', fallback: 'info', help: 'Least level that is logged: debug, info, warn, error, silent.' },
  {
    name: 'STICHTAG_LOG_ARGUMENTS',
    fallback: 'no',
    help: '`yes`: the lines about requests (level debug) say what was asked for: URIs, search words, SQL.',
  },
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

/** Whether lines of the log about requests may say what was asked for. */
export const logsArguments = (env: Environment = process.env): boolean => env.STICHTAG_LOG_ARGUMENTS === 'yes'

/** The command and the URL that are told what a run did, if any. */
export const hookSetting = (env: Environment = process.env): string | undefined => env.STICHTAG_HOOK || undefined
export const webhookSetting = (env: Environment = process.env): string | undefined => env.STICHTAG_WEBHOOK || undefined

/** Most seconds by which a scheduled run may start later; undefined where no setting says it. */
export const jitterSetting = (env: Environment = process.env): number | undefined => {
  const seconds = Number(env.STICHTAG_JITTER || Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined
}

const positive = (text: string | undefined, fallback: number): number => {
  const value = Number(text)
  return Number.isInteger(value) && value > 0 ? value : fallback
}
