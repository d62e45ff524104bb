/** bzip2 by seek-bzip in a worker thread: nothing to install, and decompression runs beside the parsing. */
import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import { StichtagError } from '../errors.ts'
import { moduleExtension } from '../package-root.ts'
import { messageSchema } from './bzip2-messages.ts'
import { corruptStream, trailingBytes } from './stream-faults.ts'

/** Chunks that wait for the consumer, at most. */
const maxWaiting = 8

export interface ThreadOptions {
  readonly name: string
  readonly signal?: AbortSignal | undefined
  readonly onWarning?: ((warning: string) => void) | undefined
}

/** The decompressed bytes of a file. The thread has ended when this returns, also when the consumer stops early. */
export async function* bunzipByThread(
  path: string,
  { name, signal, onWarning }: ThreadOptions,
): AsyncGenerator<Buffer, void, undefined> {
  signal?.throwIfAborted()
  const credits = new Int32Array(new SharedArrayBuffer(4)).fill(maxWaiting)
  const worker = new Worker(new URL(`./bzip2-worker${moduleExtension}`, import.meta.url), {
    workerData: { path, credits },
  })
  try {
    for await (const [value] of on(worker, 'message', { signal, close: ['exit'] })) {
      const message = messageSchema.parse(value)
      switch (message.kind) {
        case 'chunk': {
          const { buffer, byteOffset, length } = message.bytes
          yield Buffer.from(buffer, byteOffset, length)
          Atomics.add(credits, 0, 1)
          Atomics.notify(credits, 0)
          break
        }
        case 'fault':
          throw corruptStream('bzip2', message.fault, name, message.words)
        case 'end':
          if (message.trailing) onWarning?.(trailingBytes)
          return
      }
    }
    throw new StichtagError('INTERNAL', `${name}: the bzip2 thread ended early`)
  } finally {
    await worker.terminate()
  }
}
