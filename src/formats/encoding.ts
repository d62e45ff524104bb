/** Bytes of any encoding to UTF-8, in which everything after this works. */
import { StichtagError } from '../errors.ts'
import type { Bytes } from './types.ts'

/** Encodings that a source may declare. UTF-16 is recognised by its byte order mark even where none is declared. */
export type Encoding = 'utf-8' | 'windows-1252' | 'iso-8859-1' | 'utf-16le' | 'utf-16be'

const byByteOrderMark = (head: Buffer): Encoding | undefined => {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : undefined
}

/**
 * The same text in UTF-8. What is UTF-8 passes as it is, and unchecked: the reader of lines checks it and can name the
 * line.
 *
 * @throws RECORD_INVALID where UTF-16 is damaged
 */
export async function* toUtf8(
  bytes: Bytes,
  declared: Encoding,
  source: string,
): AsyncGenerator<Buffer, void, undefined> {
  let decoder: Decoder | undefined
  let encoding: Encoding | undefined
  let head = Buffer.alloc(0)
  for await (const chunk of bytes) {
    let part = chunk
    if (encoding === undefined) {
      head = Buffer.concat([head, chunk])
      if (head.length < 2) continue
      encoding = byByteOrderMark(head) ?? declared
      if (encoding !== 'utf-8') decoder = new TextDecoder(encoding, { fatal: true })
      part = head
    }
    yield decoder === undefined ? part : decoded(decoder, part, source)
  }
  if (encoding === undefined) yield head
  else if (decoder !== undefined) yield decoded(decoder, undefined, source)
}

type Decoder = InstanceType<typeof TextDecoder>

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
