/** Bytes of any encoding to UTF-8, in which everything after this works. */
import { StichtagError } from '../errors.ts'
import type { Bytes } from './types.ts'

/** Encodings that a source may declare. UTF-16 is recognised by its byte order mark even where none is declared. */
export const encodings = ['utf-8', 'windows-1252', 'iso-8859-1', 'utf-16le', 'utf-16be'] as const
export type Encoding = (typeof encodings)[number]

const byByteOrderMark = (head: Buffer): Encoding | undefined => {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : undefined
}

/**
 * The same text in UTF-8. What is UTF-8 passes as it is, and unchecked: the reader of lines checks it and can name the
 * line. The encoding is declared, or seen in the first chunk; a byte order mark of UTF-16 outdoes both.
 *
 * @throws RECORD_INVALID where UTF-16 is damaged, NOT_WHAT_IT_SAYS for an encoding that nobody knows
 */
export async function* toUtf8(
  bytes: Bytes,
  declared: Encoding | ((head: Buffer) => string),
  source: string,
): AsyncGenerator<Buffer, void, undefined> {
  let decoder: Decoder | undefined
  let encoding: string | undefined
  let head: Buffer = Buffer.alloc(0)
  for await (const chunk of bytes) {
    let part = chunk
    if (encoding === undefined) {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk])
      if (head.length < 2) continue
      encoding = byByteOrderMark(head) ?? (typeof declared === 'function' ? declared(head) : declared)
      const found = decoderOf(encoding, source)
      if (found.encoding !== 'utf-8') decoder = found
      part = head
    }
    yield decoder === undefined ? part : decoded(decoder, part, source)
  }
  if (encoding === undefined) yield head
  else if (decoder !== undefined) yield decoded(decoder, undefined, source)
}

type Decoder = InstanceType<typeof TextDecoder>

const decoderOf = (encoding: string, source: string): Decoder => {
  try {
    return new TextDecoder(encoding, { fatal: true })
  } catch (error) {
    throw new StichtagError('NOT_WHAT_IT_SAYS', `${source}: is in ${encoding}, which is not an encoding that is read`, {
      data: { source },
      cause: error,
    })
  }
}

/** Decodes a part, or what is left at the end (`undefined`). */
const decoded = (decoder: Decoder, part: Buffer | undefined, source: string): Buffer => {
  try {
    return Buffer.from(part === undefined ? decoder.decode() : decoder.decode(part, { stream: true }), 'utf8')
  } catch (error) {
    throw new StichtagError('RECORD_INVALID', `${source}: is not valid ${decoder.encoding}`, {
      data: { source },
      cause: error,
    })
  }
}
