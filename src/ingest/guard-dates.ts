/**
 * What the publisher's date must be like: a source that serves an old file again, or one that is stamped in the future,
 * must not take the place of what is better. Pure.
 */
import type { GuardFigures, GuardFinding } from './guard.ts'
import { instantOf } from './publisher-date.ts'

const dayMs = 24 * 60 * 60 * 1000

interface Span {
  readonly first: number
  readonly last: number
}

/** The instants a date stands for: a day is all of it. Undefined for a text that is no ISO 8601 date. */
const spanOf = (date: string): Span | undefined => {
  const first = instantOf(date)
  if (first === undefined) return undefined
  return { first, last: date.length === 10 ? first + dayMs - 1 : first }
}

export const datedEarlier = ({ publisherDate, currentDate }: GuardFigures): GuardFinding[] => {
  if (publisherDate === null || currentDate === null) return []
  const [found, current] = [spanOf(publisherDate), spanOf(currentDate)]
  if (found === undefined || current === undefined || found.last >= current.first) return []
  return [
    {
      guard: 'date-earlier',
      message: `the publisher dates the delivery ${publisherDate}, which is earlier than the current one's ${currentDate}`,
      figures: { found: publisherDate, current: currentDate },
    },
  ]
}

/** Clocks and time zones differ; more than a day is a wrong stamp. */
export const datedAhead = ({ publisherDate, now }: GuardFigures): GuardFinding[] => {
  const found = publisherDate === null ? undefined : spanOf(publisherDate)
  if (publisherDate === null || found === undefined || found.first <= now.getTime() + dayMs) return []
  return [
    {
      guard: 'date-ahead',
      message: `the publisher dates the delivery ${publisherDate}, which is in the future`,
      figures: { found: publisherDate, now: now.toISOString() },
    },
  ]
}
