/**
 * How big a row may be. Readers are given no bigger one, since the process that gets it holds several copies for a
 * moment; so none is loaded either: a record that nobody can read would look as if it were there.
 */

/** Bytes of the biggest row, as {@link bytesOf} counts its values. */
export const maxRowBytes = 8_000_000

/**
 * Bytes that a stored value will take in JSON, roughly: escapes are not counted. Told before the value is made ready for
 * an answer, which of a big BLOB would take more memory than there is.
 */
export const bytesOf = (stored: string | number | bigint | Uint8Array | null): number => {
  if (stored === null) return 4
  if (typeof stored === 'string') return Buffer.byteLength(stored) + 2
  if (typeof stored === 'object') return Math.ceil(stored.byteLength / 3) * 4 + 13
  return 8
}
