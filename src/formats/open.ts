/**
 * Opens a delivered file as a stream of decompressed bytes, recognised by its first bytes rather than its name.
 *
 * Memory does not grow with the file; a consumer that stops early stops whatever produces. Everything that can be seen
 * from the bytes alone is refused here, before a reader of records meets it: an empty file, a cut or damaged
 * compression, an HTML page or an archive in place of data.
 */
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { StichtagError } from '../errors.ts'
import { type Bzip2Decoder, bunzipFile } from './bzip2.ts'
import { inflateFile } from './inflate.ts'
import { compressionOf, foreignKind, headBytes } from './magic.ts'
import type { Bytes } from './types.ts'

export interface OpenOptions {
  /** Name of the file for messages; by its ending brotli is known, which has no magic bytes. */
  readonly name: string
  readonly signal?: AbortSignal | undefined
  /** Hears of bytes after the end of compressed data, which are ignored. */
  readonly onWarning?: ((warning: string) => void) | undefined
  /** Forces one way of reading bzip2; without it the faster one that is there. */
  readonly bzip2?: Bzip2Decoder | undefined
}

/** Bytes read from the disk at once. */
export const readSize = 256 * 1024

/**
 * The decompressed bytes of the file at `path`.
 *
 * @throws FILE_NOT_FOUND, NOT_WHAT_IT_SAYS (empty, HTML, an archive), DATA_CORRUPT (cut or damaged), CANCELLED
 */
export async function* openFile(path: string, options: OpenOptions): AsyncGenerator<Buffer, void, undefined> {
  const { name, signal } = options
  try {
    signal?.throwIfAborted()
    const head = await headOf(path, name)
    if (head.length === 0) throw new StichtagError('NOT_WHAT_IT_SAYS', `${name}: empty file`, { data: { file: name } })
    for await (const chunk of refusingForeign(decompressed(path, head, options), name)) {
      signal?.throwIfAborted()
      yield chunk
    }
  } catch (error) {
    if (error instanceof StichtagError || !signal?.aborted) throw error
    throw new StichtagError('CANCELLED', `reading ${name} was cancelled`, { cause: error })
  }
}

const decompressed = (path: string, head: Buffer, options: OpenOptions): Bytes => {
  const compression = compressionOf(head, options.name)
  if (compression === 'none') return createReadStream(path, { highWaterMark: readSize, signal: options.signal })
  return compression === 'bzip2' ? bunzipFile(path, options) : inflateFile(path, compression, options)
}

const headOf = async (path: string, name: string): Promise<Buffer> => {
  let file: FileHandle | undefined
  try {
    file = await open(path)
    const { bytesRead, buffer } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    return buffer.subarray(0, bytesRead)
  } catch (error) {
    throw new StichtagError('FILE_NOT_FOUND', `${name}: cannot be read (${String(error)})`, {
      data: { file: name },
      cause: error,
    })
  } finally {
    await file?.close()
  }
}

/** Passes bytes on once their first ones are known not to be something that no reader takes. */
async function* refusingForeign(bytes: Bytes, name: string): AsyncGenerator<Buffer, void, undefined> {
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
  const kind = foreignKind(head)
  if (kind === undefined) return
  const what = kind === 'an HTML page' ? 'HTML received instead of data' : `is ${kind}, which is not read as records`
  throw new StichtagError('NOT_WHAT_IT_SAYS', `${name}: ${what}`, { data: { file: name, kind } })
}
