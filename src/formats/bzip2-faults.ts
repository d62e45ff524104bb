/** How both ways of reading bzip2 say what is wrong with a file. */
import { StichtagError } from '../errors.ts'

export type Bzip2Fault = 'cut' | 'damaged'

/** DATA_CORRUPT of a bzip2 file, with the decoder's own words as cause. */
export const bzip2Corrupt = (fault: Bzip2Fault, name: string, words: string): StichtagError =>
  new StichtagError(
    'DATA_CORRUPT',
    `${name}: ${fault === 'cut' ? 'unexpected end of bzip2 stream' : 'damaged bzip2 data'}`,
    { data: { file: name }, cause: new Error(words) },
  )

/** What is said of bytes after the last stream. */
export const trailingBytes = 'bytes after the end of the bzip2 data were ignored'
