/** What every answer says of where it came from: version, asOf, licence, and a warning where records are invented. */
import type { AsOfKind } from '../store/as-of.ts'
import { isOver } from './freshness.ts'
import type { ServedDatabase } from './served.ts'

/** Said by every answer from data that a person gave. Of a version, for ever: so nothing in it may change with time. */
export const byHandNote =
  'A file or URL given by hand, not fetched from the publisher: that it is what publisher and licence say was not checked.'

/** Said by every answer from a snapshot of invented records (DESIGN §4.2). */
export const sampleNote = 'Invented sample records: they describe nobody and nothing real.'

export interface AnswerOrigin {
  readonly dataset: string
  readonly version: string
  readonly asOf: string
  /** There where that is not the publisher's own date. */
  readonly asOfIs?: AsOfKind
  /** First and last day for which data hold that are of a time, such as timetables. */
  readonly validFrom?: string
  readonly validUntil?: string
}

export interface AnswerTerms {
  readonly licence: string
  readonly attribution: string
  readonly source?: string
  readonly byHand?: string
  readonly partial?: string
  readonly sample?: string
}

/** As of when data hold, and what that is where it is not the publisher's own date. */
export const asOfFacts = ({
  asOf,
  asOfIs,
}: Pick<ServedDatabase, 'asOf' | 'asOfIs'>): Pick<AnswerOrigin, 'asOf' | 'asOfIs'> => ({
  asOf,
  ...(asOfIs === undefined ? {} : { asOfIs }),
})

export const originOf = (dataset: string, database: ServedDatabase): AnswerOrigin => ({
  dataset,
  version: database.version,
  ...asOfFacts(database),
  ...database.validity,
})

/**
 * That data which hold for a time say nothing of other days: where that time is over, and where nothing was found. Not for
 * what is addressed by its version, which reads the same for ever.
 */
export const validityNote = (
  { validity }: ServedDatabase,
  now: Date,
  isEmpty = false,
): { readonly validity?: string } => {
  if (validity?.validUntil === undefined) return {}
  const { validFrom, validUntil } = validity
  if (isOver(validity, now)) {
    return { validity: `These data ended on ${validUntil}. Of the days since then, no rows does not mean no service.` }
  }
  if (!isEmpty) return {}
  const days = validFrom === undefined ? `until ${validUntil}` : `from ${validFrom} until ${validUntil}`
  return { validity: `These data hold ${days}. Of other days, no rows does not mean no service.` }
}

export const termsOf = ({ terms }: ServedDatabase): AnswerTerms => ({
  licence: terms.licence,
  attribution: terms.attribution,
  ...(terms.source === undefined ? {} : { source: terms.source }),
  ...(terms.byHand === true ? { byHand: byHandNote } : {}),
  ...(terms.partial === undefined ? {} : { partial: terms.partial }),
  ...(terms.sample ? { sample: sampleNote } : {}),
})
