/** The version of a SQLite file that is not a snapshot of ours: it changes when the file does. */
import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'

export interface FileVersion {
  /** A digest of path, size, time and inode, and of a write-ahead log's where there is one. */
  readonly version: string
  /** When it last changed, ISO 8601. */
  readonly asOf: string
}

/** The file's version; undefined where there is no such file. */
export const fileVersionOf = (path: string): FileVersion | undefined => {
  const file = statSync(path, { bigint: true, throwIfNoEntry: false })
  if (file === undefined || !file.isFile()) return undefined
  const log = statSync(`${path}-wal`, { bigint: true, throwIfNoEntry: false })
  const facts = [path, file.ino, file.size, file.mtimeNs]
  // A reader leaves an empty log behind, which says nothing new.
  const logFacts = log !== undefined && log.size > 0n ? [log.size, log.mtimeNs] : []
  const changed = log !== undefined && log.size > 0n && log.mtimeNs > file.mtimeNs ? log.mtime : file.mtime
  return {
    version: createHash('sha256')
      .update([...facts, ...logFacts].join('\n'))
      .digest('hex')
      .slice(0, 16),
    asOf: changed.toISOString(),
  }
}
