/** The digest by which two readings of a record are told apart. */
import { createHash } from 'node:crypto'
import type { WholeRecord } from './types.ts'

/**
 * First 32 hex digits of the SHA-256 of the JSON text of `{record, related}`. Readers compute it beside the data, the
 * gateway over what it shows: both by this function, so that they agree.
 */
export const digestOf = ({ record, related }: WholeRecord): string =>
  createHash('sha256').update(JSON.stringify({ record, related })).digest('hex').slice(0, 32)
