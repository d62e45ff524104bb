/** bzip2 by the reference implementation (`bzip2` on the PATH) as a child process. */
import {
  type DecompressorProgram,
  decompressByProgram,
  isInstalled,
  type ProgramOptions,
} from './decompressor-program.ts'
import { trailingBytes } from './stream-faults.ts'
import type { Bytes } from './types.ts'

const bzip2: DecompressorProgram = {
  name: 'bzip2',
  args: ['-dc'],
  faultIn: (words) => (words.includes('ends unexpectedly') ? 'cut' : 'damaged'),
  warningIn: (words) => (words.includes('trailing garbage') ? trailingBytes : undefined),
}

let found: Promise<boolean> | undefined

/** Whether the reference implementation is installed. */
export const hasBzip2Program = (): Promise<boolean> => {
  found ??= isInstalled('bzip2', '--help', 'bzip2, a block-sorting file compressor')
  return found
}

/** The decompressed bytes of a file. @throws DATA_CORRUPT */
export const bunzipByProgram = (path: string, options: ProgramOptions): Bytes =>
  decompressByProgram(bzip2, path, options)
