/** Ways in which files of a store get damaged. */
import { chmodSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** A sealed file or folder as somebody with enough rights finds it: writable. */
const opened = (path: string): string => {
  chmodSync(dirname(path), 0o755)
  chmodSync(path, 0o644)
  return path
}

export const truncated = (path: string): void => truncateSync(opened(path), Math.floor(statSync(path).size / 2))
export const emptied = (path: string): void => truncateSync(opened(path), 0)
export const removed = (path: string): void => rmSync(opened(path))
export const overwritten = (path: string): void => writeFileSync(opened(path), 'no such thing at all, '.repeat(500))

/** As many bytes as before, and all of them others. */
export const garbled = (path: string): void => {
  const { size } = statSync(path)
  writeFileSync(opened(path), Buffer.alloc(size, 0xa7))
}
