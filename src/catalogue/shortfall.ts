/**
 * What a snapshot lacks of its dataset: a delivery given by hand may be an excerpt, one file of several, or changes alone.
 * Who finds nothing in it has to know. Pure.
 */
import type { Manifest } from '../store/manifest.ts'

/** What is needed of a manifest to tell. */
export type ShortfallFacts = Pick<Manifest, 'sample' | 'delta' | 'lacking' | 'expectedRows'> & {
  readonly tables: readonly Pick<Manifest['tables'][number], 'name' | 'rows'>[]
}

/** What is lacking, in one sentence and what it means; undefined where nothing is known to lack. */
export const shortfallOf = ({
  sample,
  delta,
  lacking: files = {},
  expectedRows = {},
  tables,
}: ShortfallFacts): string | undefined => {
  // Samples are small on purpose, and say themselves what they are.
  if (sample) return undefined
  const short = tables.flatMap(({ name, rows }) => {
    const least = expectedRows[name]
    return least === undefined || rows >= least ? [] : [`${name} has ${rows} rows, at least ${least} are expected`]
  })
  const lacking = [
    ...(delta?.partial === true ? ['only deliveries of changes were ingested, never the whole'] : []),
    ...Object.entries(files).map(([file, what]) => `${what} are not there, as the file ${file} was not given`),
    ...short,
  ]
  if (lacking.length === 0) return undefined
  return `Only a part of the dataset is here: ${lacking.join('; ')}. That nothing is found does not mean that there is nothing.`
}
