/** How every way of reading bzip2 and xz says what is wrong with a file. */
import { StichtagError } from '../errors.ts'

export type StreamFault = 'cut' | 'damaged'

/** DATA_CORRUPT of a compressed file, with the decoder's own words as cause. */
export const corruptStream = (kind: 'bzip2' | 'xz', fault: StreamFault, name: string, words: string): StichtagError =>
  new StichtagError(
    'DATA_CORRUPT',
    `${name}: ${fault === 'cut' ? `unexpected end of ${kind} stream` : `damaged ${kind} data`}`,
    { data: { file: name }, cause: new Error(words) },
  )

/** What is said of bytes after the last stream of a bzip2 file. */
export const trailingBytes = 'bytes after the end of the bzip2 data were ignored'
