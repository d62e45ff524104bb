/** The publisher's date: as of when a delivery holds, as records, preambles and indexes say it. Pure. */

const isoDate = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/

/** Days kept of those that were said: deliveries give millions of instants on few days. */
const mostKnownDays = 10_000

/** 31 February is read as 3 March. */
const isDay = (day: string): boolean => {
  const midnight = Date.parse(day)
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().slice(0, 10) === day
}

/**
 * The instant at which a date begins, in milliseconds; undefined for what is no ISO 8601 date or instant. One without a
 * zone is taken for UTC. `knownDays` are days of the calendar that were met before, and takes this one.
 */
export const instantOf = (date: string, knownDays?: Set<string>): number | undefined => {
  const [whole, day, zone] = isoDate.exec(date) ?? []
  if (whole === undefined || day === undefined) return undefined
  if (knownDays?.has(day) !== true) {
    if (!isDay(day)) return undefined
    if (knownDays !== undefined && knownDays.size < mostKnownDays) knownDays.add(day)
  }
  const instant = Date.parse(whole === day || zone !== undefined ? whole : `${whole}Z`)
  return Number.isNaN(instant) ? undefined : instant
}

/** The latest of the dates that were said, and those that were none. */
export class PublisherDate {
  latest: string | null = null
  #latestInstant = Number.NEGATIVE_INFINITY
  readonly #knownDays = new Set<string>()
  faults = 0
  firstFault = ''

  say(date: string): void {
    if (date === this.latest) return
    const instant = instantOf(date, this.#knownDays)
    if (instant === undefined) {
      this.firstFault ||= String(date).slice(0, 80)
      this.faults += 1
    } else if (instant > this.#latestInstant) {
      this.#latestInstant = instant
      this.latest = date
    }
  }

  /** Takes over what another one heard. */
  add({ latest, faults, firstFault }: Pick<PublisherDate, 'latest' | 'faults' | 'firstFault'>): void {
    if (latest !== null) this.say(latest)
    this.faults += faults
    this.firstFault ||= firstFault
  }
}

/** What to warn of. */
export const dateWarning = ({
  faults,
  firstFault,
}: Pick<PublisherDate, 'faults' | 'firstFault'>): string | undefined => {
  if (faults === 0) return undefined
  const times = faults === 1 ? '' : ` (and ${faults - 1} more)`
  return `publisher's date ${JSON.stringify(firstFault)}${times} is no ISO 8601 date, and was ignored`
}
