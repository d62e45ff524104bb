/** Putting together what reading a URI gives. */
import { createHash } from 'node:crypto'
import type { Content, Reading } from './types.ts'

export interface ReadingParts {
  readonly uri: string
  readonly body: Readonly<Record<string, unknown>>
  /** What a subscription compares (DESIGN §4.6), or its digest where readers computed one. */
  readonly compared: { readonly of: unknown } | { readonly digest: string }
  readonly ttlMs: number
  /** Contents after the JSON: a sheet for people, BLOBs. */
  readonly further?: readonly Content[]
}

/** Digest of what is compared, where it is no record (records have `digestOf`). */
export const comparedDigest = (compared: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(compared) ?? 'null')
    .digest('hex')
    .slice(0, 32)

/** A reading whose first content is JSON. */
export const jsonReading = ({ uri, body, compared, ttlMs, further = [] }: ReadingParts): Reading => ({
  contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(body) }, ...further],
  digest: 'digest' in compared ? compared.digest : comparedDigest(compared.of),
  ttlMs,
})
