/** What a file looks like from outside: differs whenever it was written, replaced or removed. */
import { statSync } from 'node:fs'

export const stampOf = (path: string): string => {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stat === undefined ? 'none' : [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(' ')
}
