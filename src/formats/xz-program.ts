/** xz by the reference implementation (`xz` on the PATH) as a child process. */
import {
  type DecompressorProgram,
  decompressByProgram,
  isInstalled,
  type ProgramOptions,
} from './decompressor-program.ts'
import type { Bytes } from './types.ts'

const xz: DecompressorProgram = {
  name: 'xz',
  // A file can ask for 4 GiB to be unpacked in; the highest preset needs 65 MiB.
  args: ['-dc', '--memlimit-decompress=1GiB'],
  faultIn: (words) => (words.includes('Unexpected end') ? 'cut' : 'damaged'),
  warningIn: () => undefined,
}

let found: Promise<boolean> | undefined

/** Whether the reference implementation is installed. */
export const hasXzProgram = (): Promise<boolean> => {
  found ??= isInstalled('xz', '--version', 'xz (XZ Utils)')
  return found
}

/** The decompressed bytes of a file. @throws DATA_CORRUPT */
export const unxzByProgram = (path: string, options: ProgramOptions): Bytes => decompressByProgram(xz, path, options)
