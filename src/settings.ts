/**
 * Every setting that comes from the environment, in one list: the command line's help and `docs/settings.md` are made
 * from it, and a test fails when one is missing there.
 */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { StichtagError } from './errors.ts'

/** One setting: its environment variable, the value without it, and a sentence for people. */
export interface Setting {
  readonly name: string
  readonly fallback: string
  readonly help: string
  /** What a value must be, where not every text will do: in words, and as a check. */
  readonly expects?: { readonly words: string; readonly test: (text: string) => boolean }
}

const isWhole =
  (least: number, most: number) =>
  (text: string): boolean =>
    /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most

const isOneOf =
  (...words: readonly string[]) =>
  (text: string): boolean =>
    words.includes(text)

const isSeconds = (text: string): boolean => /^\d+(?:\.\d+)?$/.test(text) && Number(text) <= 86_400

/** Levels of the log, most first. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

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
    expects: { words: 'a number of seconds from 0 to 86400', test: isSeconds },
  },
  {
    name: 'STICHTAG_RESERVE',
    fallback: 'a hundredth of the disk, at least 4 and at most 1024',
    help: 'MiB of the disk of a store that no run takes, so that small writes go on where all else is full.',
    expects: { words: 'a whole number of MiB from 1 to 1048576', test: isWhole(1, 1_048_576) },
  },
  {
    name: 'STICHTAG_MAX_DOWNLOAD',
    fallback: 'ten times the last delivery from the same URL, at least 1024; 65536 for a first one',
    help: 'Most MiB that one file of a source may have: a source that never ends is given up there.',
    expects: { words: 'a whole number of MiB from 1 to 1073741824', test: isWhole(1, 1_073_741_824) },
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
    expects: { words: 'an http or https URL', test: (text) => /^https?:\/\//i.test(text) && URL.canParse(text) },
  },
  {
    name: 'STICHTAG_TOKEN',
    fallback: 'none',
    help: 'Bearer token that `watch --http` shows to a gateway that asks for one.',
  },
  {
    name: 'STICHTAG_LOG',
    fallback: 'info',
    help: 'Least level that is logged: debug, info, warn, error, silent.',
    expects: { words: `one of ${logLevels.join(', ')}`, test: isOneOf(...logLevels) },
  },
  {
    name: 'STICHTAG_LOG_FORMAT',
    fallback: '`json` from `serve` and `schedule` where stderr is no terminal, else `text`',
    help: '`json`: each line of the log is a JSON object; `text`: words for people.',
    expects: { words: 'json or text', test: isOneOf('json', 'text') },
  },
  {
    name: 'STICHTAG_LOG_ARGUMENTS',
    fallback: 'no',
    help: '`yes`: the lines about requests (level debug) say what was asked for: URIs, search words, SQL.',
    expects: { words: 'yes or no', test: isOneOf('yes', 'no') },
  },
  {
    name: 'STICHTAG_QUERY_TIMEOUT',
    fallback: '2000',
    help: 'Milliseconds a statement may run before it is killed.',
    expects: { words: 'a whole number of milliseconds from 1 to 3600000', test: isWhole(1, 3_600_000) },
  },
  {
    name: 'STICHTAG_READERS',
    fallback: 'number of cores, at least 2',
    help: 'Reader processes of a gateway.',
    expects: { words: 'a whole number from 1 to 256', test: isWhole(1, 256) },
  },
  {
    name: 'STICHTAG_MAX_STREAMS',
    fallback: '1024',
    help: 'Streams of hosts of the 2026 protocol that a gateway keeps open at once.',
    expects: { words: 'a whole number from 1 to 100000', test: isWhole(1, 100_000) },
  },
  {
    name: 'STICHTAG_MAX_SESSIONS',
    fallback: '1000',
    help: 'Sessions of hosts of the 2025 protocol that a gateway keeps.',
    expects: { words: 'a whole number from 1 to 100000', test: isWhole(1, 100_000) },
  },
  {
    name: 'STICHTAG_MAX_SUBSCRIPTIONS',
    fallback: '1000000',
    help: 'Subscriptions of all sessions and streams of a gateway together.',
    expects: { words: 'a whole number from 1 to 100000000', test: isWhole(1, 100_000_000) },
  },
  {
    name: 'STICHTAG_CLIENT_SHARE',
    fallback: '25',
    help: 'Percent of these streams, sessions and subscriptions that one client may hold: a token, or an address beyond this machine.',
    expects: { words: 'a whole number from 1 to 100', test: isWhole(1, 100) },
  },
] as const satisfies readonly Setting[]

/** The settings whose values are of no use, each in words. An empty one counts as not set. */
export const settingProblems = (env: Environment = process.env): string[] =>
  settings.flatMap((setting: Setting) => {
    const value = env[setting.name]
    if (!value || setting.expects === undefined || setting.expects.test(value)) return []
    return [`${setting.name} must be ${setting.expects.words}, not ${JSON.stringify(value)}`]
  })

type Environment = Readonly<Record<string, string | undefined>>

const ofDataset = (prefix: string, dataset: string): string => `${prefix}_${dataset.toUpperCase().replaceAll('-', '_')}`

/** The person's home folder; undefined where the system knows none (a container's user without a name). */
export const homeFolder = (): string | undefined => {
  try {
    return homedir() || undefined
  } catch (error) {
    // The one way in which it fails: HOME is not set, and the user is in no list of the system.
    if (error instanceof Error && 'syscall' in error) return undefined
    throw error
  }
}

/** Root folder of the global store (DESIGN §4.1). Throws USAGE where neither a setting nor a home folder says it. */
export const globalRoot = (env: Environment = process.env): string => {
  if (env.STICHTAG_HOME) return env.STICHTAG_HOME
  const home = homeFolder()
  if (home !== undefined) return join(home, '.flowmcp')
  throw new StichtagError(
    'USAGE',
    'there is no home folder for the global store: set HOME, or STICHTAG_HOME to the root of a store',
  )
}

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

/** What a gateway keeps for all hosts together, and the part of it, above 0 and at most 1, that one client may hold. */
export const sharedLimits = (env: Environment = process.env) => ({
  maxStreams: positive(env.STICHTAG_MAX_STREAMS, 1024),
  maxSessions: positive(env.STICHTAG_MAX_SESSIONS, 1000),
  maxAllSubscriptions: positive(env.STICHTAG_MAX_SUBSCRIPTIONS, 1_000_000),
  clientShare: positive(env.STICHTAG_CLIENT_SHARE, 25) / 100,
})

/** Least level that is logged; what is no level is told by {@link settingProblems}, not by a log that cannot start. */
export const logLevel = (env: Environment = process.env): (typeof logLevels)[number] =>
  logLevels.find((level) => level === env.STICHTAG_LOG) ?? 'info'

/** How lines of the log are written, where a setting says it. */
export const logFormat = (env: Environment = process.env): 'json' | 'text' | undefined =>
  env.STICHTAG_LOG_FORMAT === 'json' || env.STICHTAG_LOG_FORMAT === 'text' ? env.STICHTAG_LOG_FORMAT : undefined

/** Whether lines of the log about requests may say what was asked for. */
export const logsArguments = (env: Environment = process.env): boolean => env.STICHTAG_LOG_ARGUMENTS === 'yes'

/** MiB that runs leave free on a disk, and that one file of a source may have; undefined where no setting says it. */
export const reserveSetting = (env: Environment = process.env): number | undefined => mebibytes(env.STICHTAG_RESERVE)
export const maxDownloadSetting = (env: Environment = process.env): number | undefined =>
  mebibytes(env.STICHTAG_MAX_DOWNLOAD)

/** The command and the URL that are told what a run did, if any. */
export const hookSetting = (env: Environment = process.env): string | undefined => env.STICHTAG_HOOK || undefined
export const webhookSetting = (env: Environment = process.env): string | undefined => env.STICHTAG_WEBHOOK || undefined

/** The token that `watch` shows to a gateway over HTTP, if any. */
export const watchToken = (env: Environment = process.env): string | undefined => env.STICHTAG_TOKEN || undefined

/** Most seconds by which a scheduled run may start later; undefined where no setting says it. */
export const jitterSetting = (env: Environment = process.env): number | undefined => {
  const seconds = Number(env.STICHTAG_JITTER || Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined
}

const mebibytes = (text: string | undefined): number | undefined => positive(text, 0) || undefined

const positive = (text: string | undefined, fallback: number): number => {
  const value = Number(text)
  return Number.isInteger(value) && value > 0 ? value : fallback
}
