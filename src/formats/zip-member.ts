/** One member of a zip archive as a stream of bytes, held to what the archive says of it: size, checksum, no bomb. */
import { createReadStream } from 'node:fs'
import { pipeline, Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import type { Entry, ZipFile } from 'yauzl'
import { StichtagError } from '../errors.ts'
import type { UnpackLimits } from './unpack-limit.ts'

const stored = 0
const deflated = 8
const chunkSize = 256 * 1024

/**
 * Refuses a member that cannot or should not be unpacked, before any of it is.
 *
 * @throws NOT_WHAT_IT_SAYS
 */
export const refuseUnreadable = (entry: Entry, name: string, { maxRatio, ratioFrom }: UnpackLimits): void => {
  const { uncompressedSize, compressedSize, compressionMethod } = entry
  if (entry.isEncrypted()) throw refused(name, 'is encrypted, and cannot be read')
  if (compressionMethod !== stored && compressionMethod !== deflated) {
    throw refused(name, `is packed by method ${compressionMethod}, which is not read (stored and deflated are)`)
  }
  if (uncompressedSize > ratioFrom && uncompressedSize > maxRatio * compressedSize) {
    const what = `${compressedSize} bytes that unpack to ${uncompressedSize}`
    throw refused(name, `is ${what}, more than the limit of ${maxRatio}:1 from ${ratioFrom} bytes on allows`)
  }
}

const refused = (name: string, what: string): StichtagError =>
  new StichtagError('NOT_WHAT_IT_SAYS', `${name}: ${what}`, { data: { file: name } })

/**
 * The unpacked bytes of a member, which {@link refuseUnreadable} let pass. No more are given than the archive declares.
 *
 * @throws DATA_CORRUPT where it is damaged, cut, of another size than declared, or its checksum does not fit
 */
export async function* unpack(
  file: ZipFile,
  entry: Entry,
  name: string,
  archive: string,
): AsyncGenerator<Buffer, void, undefined> {
  let bytes = 0
  let checksum = 0
  const stream = await opened(file, entry, name, archive)
  try {
    for await (const chunk of stream) {
      // Neither the file's stream nor zlib's has an encoding: both carry Buffers.
      const part = chunk as Buffer
      bytes += part.length
      if (bytes > entry.uncompressedSize) break
      checksum = crc32(part, checksum)
      yield part
    }
  } catch (error) {
    throw corrupt(error, name)
  } finally {
    stream.destroy()
  }
  if (bytes !== entry.uncompressedSize) {
    const real = bytes > entry.uncompressedSize ? `at least ${bytes}` : String(bytes)
    throw damaged(name, `it declares ${entry.uncompressedSize} bytes, but has ${real}`)
  }
  if (checksum !== entry.crc32) throw damaged(name, 'its checksum does not fit')
}

/** yauzl's own stream crashes the process where it is let go of while it reads; so it only says where the bytes are. */
const opened = async (file: ZipFile, entry: Entry, name: string, archive: string): Promise<Readable> => {
  try {
    const { fileDataStart: start } = await file.readLocalFileHeaderPromise(entry, { minimal: true })
    const end = start + entry.compressedSize - 1
    const packed = end < start ? Readable.from([]) : createReadStream(archive, { start, end, highWaterMark: chunkSize })
    // What goes wrong with either arrives where the bytes are read.
    return entry.compressionMethod === stored
      ? packed
      : pipeline(packed, createInflateRaw({ chunkSize }), () => undefined)
  } catch (error) {
    throw corrupt(error, name)
  }
}

/** Errors of the disk are passed on as they are. */
const corrupt = (error: unknown, name: string): unknown =>
  error instanceof Error && !('syscall' in error) ? damaged(name, error.message, error) : error

const damaged = (name: string, what: string, cause?: unknown): StichtagError =>
  new StichtagError('DATA_CORRUPT', `${name}: damaged zip archive: ${what}`, { data: { file: name }, cause })
