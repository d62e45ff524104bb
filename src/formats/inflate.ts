/** gzip, zstd and brotli by node:zlib: all members and frames of a file, and a clear word on what is cut or damaged. */
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createBrotliDecompress, createGunzip, createZstdDecompress } from 'node:zlib'
import { StichtagError } from '../errors.ts'
import { type Compression, startsZstd } from './magic.ts'

export interface InflateOptions {
  readonly name: string
  readonly signal?: AbortSignal | undefined
  readonly onWarning?: ((warning: string) => void) | undefined
}

type Inflatable = Exclude<Compression, 'none' | 'bzip2' | 'xz'>

const chunkSize = 256 * 1024

const decoders = {
  gzip: () => createGunzip({ chunkSize }),
  zstd: () => createZstdDecompress({ chunkSize }),
  brotli: () => createBrotliDecompress({ chunkSize }),
} as const satisfies Record<Inflatable, unknown>

/**
 * The decompressed bytes of a file.
 *
 * node:zlib reads all members of a gzip file, but ends without an error after the first frame of a zstd file, and
 * anywhere that zeros or other bytes follow: how far it came is compared with the size of the file.
 *
 * @throws DATA_CORRUPT
 */
export async function* inflateFile(
  path: string,
  compression: Inflatable,
  { name, signal, onWarning }: InflateOptions,
): AsyncGenerator<Buffer, void, undefined> {
  const { size } = await stat(path)
  let start = 0
  while (start < size) {
    const decoder = decoders[compression]()
    const source = createReadStream(path, { start, highWaterMark: chunkSize, signal })
    // What goes wrong with either arrives below, where the decoder is read.
    pipeline(source, decoder, () => undefined)
    try {
      // Both sides of zlib's streams carry Buffers: no encoding is ever set here.
      for await (const chunk of decoder) yield chunk as Buffer
    } catch (error) {
      throw corrupt(error, compression, name)
    } finally {
      decoder.destroy()
    }
    start += decoder.bytesWritten
    if (start < size && !(compression === 'zstd' && (await startsFrame(path, start)))) {
      onWarning?.(`bytes after the end of the ${compression} data were ignored`)
      return
    }
  }
}

const startsFrame = async (path: string, position: number): Promise<boolean> => {
  const file = await open(path)
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(4), 0, 4, position)
    return startsZstd(buffer.subarray(0, bytesRead))
  } finally {
    await file.close()
  }
}

/** zlib's errors carry a number and no system call; those of the disk are passed on as they are. */
const corrupt = (error: unknown, compression: Inflatable, name: string): unknown => {
  if (!(error instanceof Error) || 'syscall' in error || error.name === 'AbortError') return error
  const cut = 'code' in error && error.code === 'Z_BUF_ERROR'
  const what = cut ? `unexpected end of ${compression} data` : `damaged ${compression} data (${error.message})`
  return new StichtagError('DATA_CORRUPT', `${name}: ${what}`, { data: { file: name }, cause: error })
}
