/** When a dataset whose run failed is tried again: soon at first, then ever later, and never after its next cron turn. */

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** Minutes until the next try after the first failed runs in a row; from then on the wait doubles, up to a day. */
const firstWaits = [1, 5, 25, 60]

/** Milliseconds to wait after so many failed runs in a row (at least one). */
export const retryDelayMs = (failures: number): number => {
  const first = firstWaits[failures - 1]
  if (first !== undefined) return first * minuteMs
  // Past 30 doublings the number itself would run over; a day is reached after five.
  const doublings = Math.min(failures - firstWaits.length, 30)
  return Math.min(dayMs, (firstWaits.at(-1) ?? 60) * minuteMs * 2 ** doublings)
}

/** When a run is due after one that ended at `after`: the cron's next turn, or an earlier try after failures. */
export const nextTry = (turn: Date | null, after: Date, failures: number): Date | null => {
  if (failures === 0) return turn
  const retry = new Date(after.getTime() + retryDelayMs(failures))
  return turn === null || retry < turn ? retry : turn
}
