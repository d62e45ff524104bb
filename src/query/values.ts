/** SQLite's values as they appear in answers, and back as they are bound. */
import type { Parameter, Value } from './types.ts'

export { bytesOf } from '../store/row-size.ts'

/** A value as better-sqlite3 gives it with safe integers on: INTEGER is a bigint, REAL a number. */
export type SqliteValue = string | number | bigint | Uint8Array | null

/**
 * A value for an answer. JSON must carry it without loss: integers beyond 2^53 become decimal text, bytes base64, and
 * the two infinite REALs, which JSON has not, `"Infinity"` and `"-Infinity"` (SQLite itself has no NaN: it is NULL).
 */
export const answerValue = (stored: SqliteValue): Value => {
  if (stored === null || typeof stored === 'string') return stored
  if (typeof stored === 'bigint') {
    const number = Number(stored)
    return Number.isSafeInteger(number) ? number : String(stored)
  }
  if (typeof stored === 'number') return Number.isFinite(stored) ? stored : String(stored)
  return { base64: Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength).toString('base64') }
}

/**
 * A parameter for binding. better-sqlite3 binds every JavaScript number as REAL, and REAL 36.0 against a TEXT column is
 * '36.0': whole numbers are bound as INTEGER instead.
 */
export const bindable = (parameter: Parameter): Parameter =>
  typeof parameter === 'number' && Number.isSafeInteger(parameter) ? BigInt(parameter) : parameter
