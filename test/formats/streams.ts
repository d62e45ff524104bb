/** Streams of bytes for tests: made of chunks, and gathered again. */
import { setImmediate } from 'node:timers/promises'

/** Bytes that arrive in exactly these chunks. */
export async function* chunks(...parts: readonly (string | Uint8Array)[]): AsyncGenerator<Buffer, void, undefined> {
  for (const part of parts) {
    await setImmediate()
    yield typeof part === 'string' ? Buffer.from(part) : Buffer.from(part)
  }
}

/** All of an async iterable. */
export const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const gathered: T[] = []
  for await (const item of items) gathered.push(item)
  return gathered
}

/** All bytes as text. */
export const textOf = async (bytes: AsyncIterable<Buffer>): Promise<string> =>
  Buffer.concat(await all(bytes)).toString('utf8')
