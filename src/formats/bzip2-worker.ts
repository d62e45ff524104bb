/**
 * The bzip2 thread. seek-bzip asks for one byte at a time and cannot wait, so the file is read synchronously, and the
 * thread sleeps while the consumer has enough to do.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import bzip from 'seek-bzip'
import { type Bzip2Message, inputSchema } from './bzip2-messages.ts'
import { startsBzip2 } from './magic.ts'

const readSize = 256 * 1024
const chunkSize = 256 * 1024

/** The file ended where a stream goes on. */
class CutError extends Error {}

/** A file byte by byte. Past its end it throws, since the decoder would read set bits there for ever. */
const fileSource = (file: number) => {
  let buffer = Buffer.alloc(0)
  let position = 0
  const fill = (atLeast: number): boolean => {
    const more = Buffer.alloc(readSize)
    const read = readSync(file, more, 0, readSize, null)
    buffer = Buffer.concat([buffer.subarray(position), more.subarray(0, read)])
    position = 0
    return buffer.length >= atLeast
  }
  const readByte = (): number => {
    if (position === buffer.length && !fill(1)) throw new CutError('unexpected end of file')
    return buffer[position++] ?? 0
  }
  return {
    readByte,
    read: (target: Uint8Array, offset: number, length: number): number => {
      for (let index = 0; index < length; index++) target[offset + index] = readByte()
      return length
    },
    /** The next bytes, as many of `length` as there are. */
    peek: (length: number): Uint8Array => {
      if (buffer.length - position < length) fill(length)
      return buffer.subarray(position, position + length)
    },
  }
}

/** Collects bytes into chunks and hands each on when it is full. */
const chunkSink = (send: (chunk: Uint8Array<ArrayBuffer>) => void) => {
  let chunk = new Uint8Array(chunkSize)
  let length = 0
  const flush = (): void => {
    if (length > 0) send(chunk.subarray(0, length))
    chunk = new Uint8Array(chunkSize)
    length = 0
  }
  return {
    writeByte: (byte: number): void => {
      chunk[length++] = byte
      if (length === chunkSize) flush()
    },
    flush,
  }
}

/** Decodes all streams; true where bytes follow that start no stream. */
const decodeStreams = (file: number, send: (chunk: Uint8Array<ArrayBuffer>) => void): boolean => {
  const source = fileSource(file)
  const sink = chunkSink(send)
  for (;;) {
    bzip.decode(source, sink, false)
    const next = source.peek(4)
    if (startsBzip2(next)) continue
    sink.flush()
    return next.length > 0
  }
}

const run = (): void => {
  const { path, credits } = inputSchema.parse(workerData)
  const post = (message: Bzip2Message, transfer: ArrayBuffer[] = []): void => parentPort?.postMessage(message, transfer)
  const send = (bytes: Uint8Array<ArrayBuffer>): void => {
    while (Atomics.load(credits, 0) === 0) Atomics.wait(credits, 0, 0)
    Atomics.sub(credits, 0, 1)
    post({ kind: 'chunk', bytes }, [bytes.buffer])
  }
  const file = openSync(path, 'r')
  try {
    post({ kind: 'end', trailing: decodeStreams(file, send) })
  } catch (error) {
    post({ kind: 'fault', fault: error instanceof CutError ? 'cut' : 'damaged', words: String(error) })
  } finally {
    closeSync(file)
  }
}

run()
