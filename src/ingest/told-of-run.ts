/** How a run tells what it failed of: by dataset and by the file that was given, and of a current snapshot only where there is one. */
import { StichtagError } from '../errors.ts'
import { type GivenFile, naming } from './given-names.ts'

/** Said where there is no snapshot that could stay. */
export const noneYet = 'There is no snapshot yet.'

export interface TellingFacts {
  readonly dataset: string
  readonly given: readonly GivenFile[]
  /** Whether there is a current snapshot. */
  readonly isAnyCurrent: boolean
}

/**
 * An error as the run's result says it. Who threw it knew a file or a disk, and neither the dataset, nor what was given,
 * nor whether anything is current. Pure.
 */
export const toldOfRun = (error: StichtagError, { dataset, given, isAnyCurrent }: TellingFacts): StichtagError => {
  const named = naming(error.message, given)
  const isAbout = [': ', ' '].some((next) => named.startsWith(`${dataset}${next}`))
  const about = isAbout ? named : `${dataset}: ${named}`
  const message = isAnyCurrent ? about : about.replace(/The current snapshot (?:stays|is unchanged)\./, noneYet)
  if (message === error.message) return error
  return new StichtagError(error.code, message, { data: error.data, cause: error.cause ?? error })
}
