/** What every answer says of where it came from: version, asOf, licence, and a warning where records are invented. */
import type { ServedDatabase } from './served.ts'

/** Said by every answer from a snapshot of invented records (DESIGN §4.2). */
export const sampleNote = 'Invented sample records: they describe nobody and nothing real.'

export interface AnswerOrigin {
  readonly dataset: string
  readonly version: string
  readonly asOf: string
}

export interface AnswerTerms {
  readonly licence: string
  readonly attribution: string
  readonly source?: string
  readonly sample?: string
}

export const originOf = (dataset: string, database: ServedDatabase): AnswerOrigin => ({
  dataset,
  version: database.version,
  asOf: database.asOf,
})

export const termsOf = ({ terms }: ServedDatabase): AnswerTerms => ({
  licence: terms.licence,
  attribution: terms.attribution,
  ...(terms.source === undefined ? {} : { source: terms.source }),
  ...(terms.sample ? { sample: sampleNote } : {}),
})
