/** Progress of runs: a line that lives on a terminal, log lines elsewhere. */
import ora, { type Ora } from 'ora'
import type { OnProgress, Progress } from '../ingest/progress.ts'
import type { Log } from '../log.ts'
import { count } from './terminal.ts'

/** Shows progress until it is told to stop. */
export interface ProgressView {
  readonly onProgress: OnProgress
  stop(): void
}

const mebibyte = 1024 * 1024
/** Log lines of one step come at most this often. */
const logEveryMs = 10_000

const amount = (value: number, unit: Progress['unit']): string =>
  unit === 'bytes' ? `${(value / mebibyte).toFixed(1)} MiB` : `${count(value)} ${unit ?? ''}`.trimEnd()

/** A step in words, with rate and remaining time where they are known. */
export const describeProgress = (progress: Progress, elapsedSeconds: number): string => {
  const { dataset, file, done, total, unit } = progress
  // Nothing is downloaded from this very machine.
  const step = progress.isLocal === true ? 'check' : progress.step
  const rate = done !== undefined && elapsedSeconds > 0.5 ? done / elapsedSeconds : undefined
  const parts = [
    `${dataset}: ${step}${file === undefined ? '' : ` ${file}`}`,
    ...(done === undefined
      ? []
      : [total === undefined ? amount(done, unit) : `${amount(done, unit)} of ${amount(total, unit)}`]),
    ...(rate === undefined ? [] : [`${amount(Math.round(rate), unit)}/s`]),
    ...(rate === undefined || total === undefined || done === undefined || rate === 0
      ? []
      : [`${Math.ceil((total - done) / rate)} s left`]),
  ]
  return parts.join(' · ')
}

const onTerminal = (): ProgressView => {
  let spinner: Ora | undefined
  let key = ''
  let since = 0
  return {
    onProgress: (progress) => {
      const current = `${progress.dataset} ${progress.step} ${progress.file ?? ''}`
      if (current !== key) {
        key = current
        since = Date.now()
      }
      spinner ??= ora({ stream: process.stderr, discardStdin: false }).start()
      spinner.text = describeProgress(progress, (Date.now() - since) / 1000)
    },
    stop: () => void spinner?.stop(),
  }
}

const inLog = (log: Log): ProgressView => {
  let key = ''
  let since = 0
  let logged = 0
  return {
    onProgress: (progress) => {
      const now = Date.now()
      const current = `${progress.dataset} ${progress.step} ${progress.file ?? ''}`
      const isNew = current !== key
      if (isNew) since = now
      key = current
      if (!isNew && now - logged < logEveryMs) return
      logged = now
      log.info(describeProgress(progress, (now - since) / 1000))
    },
    stop: () => undefined,
  }
}

/**
 * Whether a line can live on a stream: on a terminal whose width is known. A terminal that gives its width as 0 (under
 * `script`, in some containers) makes ora erase lines without end.
 */
export const isLively = ({ isTTY, columns }: { readonly isTTY?: boolean; readonly columns?: number }): boolean =>
  isTTY === true && columns !== undefined && columns > 0

/** The view that fits where stderr goes. */
export const progressView = (log: Log): ProgressView => (isLively(process.stderr) ? onTerminal() : inLog(log))
