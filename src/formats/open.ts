/**
 * Opens a delivered file as a stream of decompressed bytes, recognised by its first bytes rather than its name.
 *
 * Memory does not grow with the file; a consumer that stops early stops whatever produces. Everything that can be seen
 * from the bytes alone is refused here, before a reader of records meets it: an empty file, a cut or damaged
 * compression, an HTML page or an archive in place of data.
 */
import { createReadStream } from 'node:fs'
import { StichtagError } from '../errors.ts'
import { type Bzip2Decoder, bunzipFile } from './bzip2.ts'
import { headOf } from './file-head.ts'
import { refusingForeign } from './foreign.ts'
import { inflateFile } from './inflate.ts'
import { type Compression, compressionOf } from './magic.ts'
import type { Bytes } from './types.ts'
import { type UnpackLimits, withinLimits } from './unpack-limit.ts'
import { unxzFile, type XzDecoder } from './xz.ts'

export interface OpenOptions {
  /** Name of the file for messages; by its ending brotli is known, which has no magic bytes. */
  readonly name: string
  readonly signal?: AbortSignal | undefined
  /** Hears of bytes after the end of compressed data, which are ignored. */
  readonly onWarning?: ((warning: string) => void) | undefined
  /** Forces one way of reading bzip2; without it the faster one that is there. */
  readonly bzip2?: Bzip2Decoder | undefined
  readonly limits?: UnpackLimits | undefined
  /** Forces one way of reading xz. */
  readonly xz?: XzDecoder | undefined
}

/** Bytes read from the disk at once. */
export const readSize = 256 * 1024

/**
 * The decompressed bytes of the file at `path`.
 *
 * @throws FILE_NOT_FOUND, NOT_WHAT_IT_SAYS (empty, HTML, an archive, a bomb), DATA_CORRUPT (cut or damaged), CANCELLED
 */
export async function* openFile(path: string, options: OpenOptions): AsyncGenerator<Buffer, void, undefined> {
  const { name, signal } = options
  try {
    signal?.throwIfAborted()
    const head = await headOf(path, name)
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
  return withinLimits(unpacked(path, compression, options), path, options.name, options.limits)
}

const unpacked = (path: string, compression: Exclude<Compression, 'none'>, options: OpenOptions): Bytes => {
  switch (compression) {
    case 'bzip2':
      return bunzipFile(path, options)
    case 'xz':
      return unxzFile(path, options)
    default:
      return inflateFile(path, compression, options)
  }
}
