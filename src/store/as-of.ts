/** What an `asOf` is where it is not the publisher's own date, and whether a person gave the data. Pure. */
import type { Manifest } from './manifest.ts'

/** `file-time`: when files of this machine were last written. `retrieval-time`: when they were fetched. */
export const asOfKinds = ['file-time', 'retrieval-time'] as const
export type AsOfKind = (typeof asOfKinds)[number]

/** What `asOf` is taken from for want of a date of the publisher's; undefined where it is that. */
export const asOfKind = ({
  asOf,
  publisherDate,
  retrievedAt,
  sources,
}: Pick<Manifest, 'asOf' | 'publisherDate' | 'retrievedAt'> & {
  readonly sources: readonly Pick<Manifest['sources'][number], 'modifiedAt'>[]
}): AsOfKind | undefined => {
  if (publisherDate !== undefined) return undefined
  if (sources.some(({ modifiedAt }) => modifiedAt === asOf)) return 'file-time'
  return asOf === retrievedAt ? 'retrieval-time' : undefined
}

/** Whether a person gave the data, by `--from` or as a file that a setting names. Invented samples are another matter. */
export const isGivenByHand = ({
  byHand,
  sample,
  sources,
}: Pick<Manifest, 'byHand' | 'sample'> & {
  readonly sources: readonly Pick<Manifest['sources'][number], 'url'>[]
}): boolean => !sample && (byHand === true || sources.some(({ url }) => url.startsWith('file:')))
