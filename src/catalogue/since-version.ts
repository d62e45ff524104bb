/** What a reader calls the version he knows: its id, or a day on which it was current. */
import { StichtagError } from '../errors.ts'
import { isoDay } from '../schema/parameter-format.ts'
import { isVersion } from '../store/version.ts'
import type { ServedSnapshot } from './served.ts'

/**
 * The version that `since` means: of a day, the latest kept one that is not after it; else the text itself.
 * @throws UNKNOWN_VERSION for what is neither, and for a day before all that is kept
 */
export const sinceVersion = ({ manifest, versions }: ServedSnapshot, since: string): string => {
  const { dataset } = manifest
  const refuse = (why: string): StichtagError =>
    new StichtagError(
      'UNKNOWN_VERSION',
      `What changed in ${dataset} since ${JSON.stringify(since)} cannot be told: ${why}. Kept: ${versions.join(', ')}. ` +
        'Read again what you hold.',
      { data: { dataset, version: since, kept: versions } },
    )
  const day = isoDay(since)
  if (day !== undefined) {
    // A version begins with the day it was built on, and sorts as text.
    const known = versions.filter((version) => version.slice(0, 8) <= day.replaceAll('-', '')).at(-1)
    if (known !== undefined) return known
    throw refuse(`no version is kept that is as old as ${day}`)
  }
  if (isVersion(since)) return since
  throw refuse(`that is no version, such as ${manifest.version}, and no day, such as 2026-12-01`)
}
