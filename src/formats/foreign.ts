/** Refuses what no reader of records takes, before one meets it: nothing at all, an HTML page, an archive, what is packed once more. */
import { StichtagError } from '../errors.ts'
import { compressionOf, foreignKind, headBytes } from './magic.ts'
import type { Bytes } from './types.ts'

/**
 * Passes bytes on once their first ones are known to be nothing of the kind.
 *
 * @throws NOT_WHAT_IT_SAYS
 */
export async function* refusingForeign(bytes: Bytes, name: string): AsyncGenerator<Buffer, void, undefined> {
  let head: Buffer | undefined = Buffer.alloc(0)
  for await (const chunk of bytes) {
    if (head === undefined) {
      yield chunk
      continue
    }
    head = head.length === 0 ? chunk : Buffer.concat([head, chunk])
    if (head.length < headBytes) continue
    refuseForeign(head, name)
    yield head
    head = undefined
  }
  if (head === undefined) return
  if (head.length === 0) throw new StichtagError('NOT_WHAT_IT_SAYS', `${name}: nothing in it`, { data: { file: name } })
  refuseForeign(head, name)
  yield head
}

const refuseForeign = (head: Buffer, name: string): void => {
  const kind = foreignKind(head) ?? compressedKind(head)
  if (kind === undefined) return
  const what = kind === 'an HTML page' ? 'HTML received instead of data' : `is ${kind}, which is not read as records`
  throw new StichtagError('NOT_WHAT_IT_SAYS', `${name}: ${what}`, { data: { file: name, kind } })
}

/** What is packed once more within a compressed file or an archive; its name, by which brotli is known, says nothing. */
const compressedKind = (head: Buffer): string | undefined => {
  const compression = compressionOf(head, '')
  return compression === 'none' ? undefined : `a ${compression} file`
}
