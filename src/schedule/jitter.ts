/**
 * Jitter: how much later than its cron says a run may start, so that not everybody who keeps a dataset current asks the
 * publisher at the same second. Due times stay what the cron says; the delay is drawn from dataset and turn, so that
 * looking twice does not draw twice.
 */
import { createHash } from 'node:crypto'
import { jitterSetting } from '../settings.ts'
import type { Schedule } from './next-run.ts'

/** Longest delay where neither pipeline nor setting says one: a tenth of the time between two turns, at most this. */
const longestDefaultMs = 300_000

const countsSeconds = ({ cron }: Schedule): boolean => cron.trim().split(/\s+/).length === 6

/** The longest delay of a schedule's runs in milliseconds: the setting, else what the pipeline says in seconds. */
export const longestJitterMs = (
  schedule: Schedule,
  saidSeconds: number | undefined,
  betweenTurnsMs: number,
): number => {
  const seconds = jitterSetting() ?? saidSeconds
  if (seconds !== undefined) return seconds * 1000
  return countsSeconds(schedule) ? 0 : Math.min(longestDefaultMs, betweenTurnsMs / 10)
}

/** The delay of one turn: from 0 to below `longestMs`, another one for each `seed`, dataset and turn. */
export const jitterMs = (seed: string, dataset: string, turn: Date, longestMs: number): number => {
  const digest = createHash('sha256').update(`${seed} ${dataset} ${turn.toISOString()}`).digest()
  return Math.floor((digest.readUInt32BE(0) / 2 ** 32) * longestMs)
}
