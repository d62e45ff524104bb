/**
 * xz, all streams of a file, in two ways that give the same bytes and the same errors.
 *
 * `program` is the reference implementation in a process of its own, where it is installed; `library` is the same code
 * compiled to WebAssembly, in this thread. The library cannot check SHA-256 (which `xz` writes on request only) and
 * refuses such a file.
 */
import type { Bytes } from './types.ts'
import { unxzByLibrary } from './xz-library.ts'
import { hasXzProgram, unxzByProgram } from './xz-program.ts'

export type XzDecoder = 'program' | 'library'

export interface UnxzOptions {
  readonly name: string
  readonly signal?: AbortSignal | undefined
  readonly xz?: XzDecoder | undefined
}

/** The decompressed bytes of an xz file. @throws DATA_CORRUPT */
export async function* unxzFile(path: string, options: UnxzOptions): AsyncGenerator<Buffer, void, undefined> {
  const decoder = options.xz ?? ((await hasXzProgram()) ? 'program' : 'library')
  const bytes: Bytes = decoder === 'program' ? unxzByProgram(path, options) : unxzByLibrary(path, options)
  yield* bytes
}
