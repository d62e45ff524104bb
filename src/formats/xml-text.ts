/** Bytes of an XML file to text, in the encoding that it declares. */
import { StichtagError } from '../errors.ts'
import { toUtf8 } from './encoding.ts'
import type { Bytes } from './types.ts'

/** Bytes in which an XML declaration must end, if there is one. */
const declarationBytes = 1024

/**
 * The encoding that the first bytes of a file declare, if they do. A file that says it is UTF-16, in letters of one byte
 * each, is not: .NET writes that into files of UTF-8.
 */
export const declaredEncoding = (head: Buffer): string | undefined => {
  const text = head.subarray(0, declarationBytes).toString('latin1')
  const declared = /^(?:\xef\xbb\xbf)?<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z][\w.-]*)["']/.exec(text)?.[1]
  return declared !== undefined && /^utf-?16/i.test(declared) ? undefined : declared
}

/**
 * The text of an XML file, in parts. A byte order mark is dropped.
 *
 * @throws NOT_WHAT_IT_SAYS for an encoding that nobody knows, RECORD_INVALID where the bytes are not in the encoding
 */
export async function* xmlText(
  bytes: Bytes,
  encoding: string | undefined,
  source: string,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let line = 1
  const decoded = (part: Buffer | undefined): string => {
    try {
      const text = part === undefined ? decoder.decode() : decoder.decode(part, { stream: true })
      line += text.split('\n').length - 1
      return text
    } catch (error) {
      const bad = line + lineOfFault(part)
      throw new StichtagError('RECORD_INVALID', `${source}: line ${bad}: not valid UTF-8`, {
        data: { source, line: bad },
        cause: error,
      })
    }
  }
  for await (const part of toUtf8(withHead(bytes), (head) => encoding ?? declaredEncoding(head) ?? 'utf-8', source)) {
    yield decoded(part)
  }
  yield decoded(undefined)
}

/** Line breaks before the first bytes of a part that are not UTF-8. It may begin within a character. */
const lineOfFault = (part: Buffer | undefined): number => {
  const text = part?.toString('utf8').replace(/^\ufffd{1,3}/, '') ?? ''
  return text.split('\ufffd', 1)[0]?.match(/\n/g)?.length ?? 0
}

/** The same bytes, the first chunk long enough for a declaration. */
async function* withHead(bytes: Bytes): AsyncGenerator<Buffer, void, undefined> {
  let head: Buffer | undefined = Buffer.alloc(0)
  for await (const chunk of bytes) {
    if (head === undefined) {
      yield chunk
      continue
    }
    head = Buffer.concat([head, chunk])
    if (head.length < declarationBytes) continue
    yield head
    head = undefined
  }
  if (head !== undefined) yield head
}
