/** What the publisher's API says of its latest golden copies. Pure. */
import type { RemoteFile } from '../../src/pipeline/types.ts'

const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (found, name) =>
      typeof found === 'object' && found !== null ? (found as Readonly<Record<string, unknown>>)[name] : undefined, // any object is one of unknowns
    value,
  )

/** `2026-10-03 08:00:00` as an instant; the publisher's times are UTC. */
const instantOf = (text: unknown): string | undefined => {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)/.exec(typeof text === 'string' ? text : '') ?? []
  return day === undefined ? undefined : `${day}T${time}Z`
}

const positive = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined

/** `20240505-0800-gleif-goldencopy-lei2-golden-copy.csv.zip`: when it was published, UTC. */
export const dateInName = (fileName: string): string | undefined => {
  const [, year, month, day, hour, minute] = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)-gleif-/i.exec(fileName) ?? []
  return year === undefined ? undefined : `${year}-${month}-${day}T${hour}:${minute}:00Z`
}

/** The full CSV file of one of `lei2`, `rr` and `repex`. Throws where the answer names none. */
export const latestFile = (answer: unknown, name: string): RemoteFile => {
  const copy = at(answer, 'data', name)
  const file = at(copy, 'full_file', 'csv')
  const url = at(file, 'url')
  if (typeof url !== 'string') throw new Error(`the answer names no data.${name}.full_file.csv.url`)
  const bytes = positive(at(file, 'size'))
  const records = positive(at(file, 'record_count'))
  const publisherDate = instantOf(at(copy, 'publish_date'))
  return {
    url,
    ...(bytes === undefined ? {} : { bytes }),
    ...(records === undefined ? {} : { records }),
    ...(publisherDate === undefined ? {} : { publisherDate }),
  }
}
