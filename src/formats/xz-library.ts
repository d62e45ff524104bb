/** xz by xz-decompress: liblzma compiled to WebAssembly, nothing to install. It reads one file at a time. */
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import xzDecompress from 'xz-decompress'
import { corruptStream } from './stream-faults.ts'

export interface LibraryOptions {
  readonly name: string
  readonly signal?: AbortSignal | undefined
}

const readSize = 256 * 1024

/** liblzma's word for "there should be more", as it comes in the library's message. */
const cutMessage = 'error code 8'

/** The decompressed bytes of a file, all of its streams. Reading ends when the consumer stops early. */
export async function* unxzByLibrary(
  path: string,
  { name, signal }: LibraryOptions,
): AsyncGenerator<Buffer, void, undefined> {
  const file = createReadStream(path, { highWaterMark: readSize, signal })
  try {
    // The library wants the web's streams, whose two declarations do not know of each other: it only calls getReader.
    const packed = Readable.toWeb(file) as ReadableStream<Uint8Array>
    for await (const { buffer, byteOffset, length } of new xzDecompress.XzReadableStream(packed)) {
      if (length > 0) yield Buffer.from(buffer, byteOffset, length)
    }
  } catch (error) {
    if (!(error instanceof Error) || 'syscall' in error || signal?.aborted) throw error
    throw corruptStream('xz', error.message.includes(cutMessage) ? 'cut' : 'damaged', name, error.message)
  } finally {
    file.destroy()
  }
}
