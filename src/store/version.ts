/**
 * Names of snapshots: `20261201T030512Z-3f9a1c2b`, UTC time to the second, then 8 hex digits of the content digest.
 * Sorts as text (DESIGN §1).
 */

/** A snapshot's id. */
export type Version = string & { readonly __brand: 'Version' }

const pattern = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z-[0-9a-f]{8}$/

const timeOf = (text: string): number => {
  const [, year, month, day, hour, minute, second] = pattern.exec(text) ?? []
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}

/** Whether a text is a well-formed version: the right shape, and a time that exists. */
export const isVersion = (text: string): text is Version => !Number.isNaN(timeOf(text))

/** The instant in a version, to the second. */
export const instantOf = (version: Version): Date => new Date(timeOf(version))

/**
 * The version of a snapshot sealed at `now` with this content digest. It is later than every kept one, whatever the
 * clock says (DESIGN §4.2): where the clock is behind, the newest kept instant plus a second is taken.
 */
export const nextVersion = (now: Date, contentDigest: string, kept: readonly Version[]): Version => {
  const newest = kept.reduce((latest, version) => Math.max(latest, instantOf(version).getTime()), 0)
  const second = Math.max(Math.floor(now.getTime() / 1000) * 1000, newest === 0 ? 0 : newest + 1000)
  const stamp = new Date(second)
    .toISOString()
    .replace(/[-:]/g, '')
    .replace(/\.\d+Z$/, 'Z')
  // The shape is the one `isVersion` checks.
  return `${stamp}-${contentDigest.slice(0, 8)}` as Version
}
