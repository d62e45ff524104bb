/**
 * When a file is refused because it unpacks to far more than it is. Zip archives are held to what they declare and to
 * this; all else declares nothing, so that the bytes are counted as they come.
 */
import { stat } from 'node:fs/promises'
import { StichtagError } from '../errors.ts'
import type { Bytes } from './types.ts'

export interface UnpackLimits {
  /** Bytes that a packed byte may become, at most. */
  readonly maxRatio: number
  /** Unpacked size from which on the ratio counts. */
  readonly ratioFrom: number
}

/** Text in all its dullness packs 50:1, the longest run of one letter 1000:1. */
export const defaultLimits: UnpackLimits = { maxRatio: 200, ratioFrom: 100_000_000 }

/** The bytes of a packed file, as far as the limits allow. @throws NOT_WHAT_IT_SAYS where they go on past that */
export async function* withinLimits(
  bytes: Bytes,
  path: string,
  name: string,
  { maxRatio, ratioFrom }: UnpackLimits = defaultLimits,
): AsyncGenerator<Buffer, void, undefined> {
  const { size } = await stat(path)
  let unpacked = 0
  for await (const chunk of bytes) {
    unpacked += chunk.length
    if (unpacked > ratioFrom && unpacked > maxRatio * size) {
      const what = `${size} bytes that unpack to ${unpacked} and more`
      const limit = `more than the limit of ${maxRatio}:1 from ${ratioFrom} bytes on allows`
      throw new StichtagError('NOT_WHAT_IT_SAYS', `${name}: is ${what}, ${limit}`, { data: { file: name } })
    }
    yield chunk
  }
}
