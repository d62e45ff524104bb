/**
 * bzip2, all streams of a file, in two ways that give the same bytes and the same errors.
 *
 * `program` is the reference implementation in a process of its own, where it is installed; `thread` is seek-bzip in a
 * worker thread. Measured on 100 MB of OffeneRegister (2 cores, Node 24): 54 and 39 MB/s. Both run beside the parsing.
 */
import { bunzipByProgram, hasBzip2Program } from './bzip2-program.ts'
import { bunzipByThread } from './bzip2-thread.ts'
import type { Bytes } from './types.ts'

export type Bzip2Decoder = 'program' | 'thread'

export interface BunzipOptions {
  readonly name: string
  readonly signal?: AbortSignal | undefined
  readonly onWarning?: ((warning: string) => void) | undefined
  readonly bzip2?: Bzip2Decoder | undefined
}

/** The decompressed bytes of a bzip2 file. @throws DATA_CORRUPT */
export async function* bunzipFile(path: string, options: BunzipOptions): AsyncGenerator<Buffer, void, undefined> {
  const decoder = options.bzip2 ?? ((await hasBzip2Program()) ? 'program' : 'thread')
  const bytes: Bytes = decoder === 'program' ? bunzipByProgram(path, options) : bunzipByThread(path, options)
  yield* bytes
}
