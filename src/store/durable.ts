/**
 * Writing so that it survives a power cut: content is fsynced before a name points to it, and the folder that holds
 * the name is fsynced after.
 */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { StichtagError } from '../errors.ts'

const syncPath = (path: string, flags: string): void => {
  const handle = openSync(path, flags)
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Flushes a file's content to the disk. */
export const syncFile = (path: string): void => syncPath(path, 'r')

/** Flushes a folder's entries (creations, renames) to the disk. */
export const syncFolder = (path: string): void => syncPath(path, 'r')

/** The error of a write that was given up, its half-written name removed where the disk still lets us. */
const abandoned = (beside: string, path: string, error: unknown): unknown => {
  const told = storeError(error, path)
  try {
    rmSync(beside, { force: true })
  } catch (further) {
    // What stopped the write stops this too: the first error is the one to tell, and a later sweep removes the name.
    return storeError(further, beside) instanceof StichtagError ? told : new AggregateError([error, further])
  }
  return told
}

const besideOf = (path: string): string => join(dirname(path), `.${basename(path)}.${randomBytes(4).toString('hex')}`)

/** Replaces a file by rename, so that readers see the old text or the new one, whole. */
export const writeFileDurably = (path: string, text: string): void => {
  const beside = besideOf(path)
  try {
    const handle = openSync(beside, 'wx', 0o644)
    try {
      // Not writeSync: on a disk that runs full it writes a part and does not say so.
      writeFileSync(handle, text)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    renameSync(beside, path)
    syncFolder(dirname(path))
  } catch (error) {
    throw abandoned(beside, path, error)
  }
}

/** Makes `path` a symlink to `target` by renaming a fresh one over it: there is no moment without it. */
export const replaceSymlink = (target: string, path: string): void => {
  const beside = besideOf(path)
  try {
    symlinkSync(target, beside)
    renameSync(beside, path)
    syncFolder(dirname(path))
  } catch (error) {
    throw abandoned(beside, path, error)
  }
}

/** What is wrong, in words, by the system's code or by SQLite's primary one. */
const unwritable: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the disk is read-only',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EIO: 'the disk reports an error',
  ENXIO: 'the disk reports an error',
  ENODEV: 'the disk reports an error',
  ESTALE: 'the network file system lost it',
  EBUSY: 'the system holds it',
  ETXTBSY: 'the system holds it',
  EFBIG: 'the file would be too large for the disk',
  EXDEV: 'it lies on another disk than the rest of the store',
  ELOOP: 'a symbolic link leads in a circle',
  ENOTDIR: 'a file lies where a folder must be',
  EEXIST: 'something else lies in its place',
  EISDIR: 'a folder lies where a file must be',
  ENOTEMPTY: 'a folder lies in its place',
  ENAMETOOLONG: 'its name is too long',
  EMFILE: 'this process has too many files open',
  ENFILE: 'the system has too many files open',
  SQLITE_FULL: 'the disk is full',
  SQLITE_READONLY: 'it is read-only',
  SQLITE_CANTOPEN: 'it cannot be opened as a file',
  SQLITE_IOERR: 'the disk reports an error',
  SQLITE_PERM: 'permission denied',
  SQLITE_BUSY: 'another program holds it',
  SQLITE_LOCKED: 'another program holds it',
  SQLITE_PROTOCOL: 'the file system cannot lock it',
  SQLITE_NOLFS: 'the file would be too large for the disk',
  SQLITE_NOTADB: 'it is no SQLite file',
  SQLITE_CORRUPT: 'it is damaged',
}

/** Codes that say that what lies at the path is wrong in itself: whatever is done about the disk, it stays so. */
const isMisplaced = (code: string): boolean => /^(?:EISDIR|SQLITE_(?:CANTOPEN|NOTADB|CORRUPT))$/.test(code)

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''

/** SQLite's extended codes (SQLITE_READONLY_DIRECTORY) begin with the primary one. */
const primaryCode = (code: string): string => /^SQLITE_[A-Z]+/.exec(code)?.[0] ?? code

/** Whether SQLite says of a file that it is not a database, or not a whole one. */
export const isDamage = (error: unknown): boolean => /^SQLITE_(?:NOTADB|CORRUPT)$/.test(primaryCode(codeOf(error)))

/**
 * A system or SQLite error from anywhere in a store, told by the path that the system names; anything else stays what it
 * is. For where no narrower place has told it.
 */
export const storageError = (error: unknown): unknown =>
  error instanceof Error && 'path' in error && typeof error.path === 'string' ? storeError(error, error.path) : error

/**
 * A system or SQLite error met while writing to a store, in words; anything else stays what it is. `wayOut` is what to
 * do where the file itself is what is wrong.
 */
export const storeError = (error: unknown, path: string, wayOut?: string): unknown => {
  const system = codeOf(error)
  const code = primaryCode(system)
  const why = unwritable[code]
  if (error instanceof StichtagError || why === undefined) return error
  const advice = wayOut === undefined || !isMisplaced(code) ? '' : ` ${wayOut}`
  return unwritableAt(path, why, error, advice)
}

const unwritableAt = (path: string, why: string, cause: unknown, advice = ''): StichtagError =>
  new StichtagError('STORE_UNWRITABLE', `cannot write ${path}: ${why}. The current snapshot is unchanged.${advice}`, {
    data: { path, system: codeOf(cause) },
    cause,
  })

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/**
 * Makes a folder and those above it, one after the other: Node's own way of doing so never ends where a file system
 * makes no folders, as that of `/proc` does not.
 *
 * @throws STORE_UNWRITABLE where the system says that a folder is missing which is there, or a link leads nowhere; the
 *   system's other errors
 */
export const makeFolder = (path: string): void => {
  if (isFolder(path)) return
  const parent = dirname(path)
  if (parent !== path) makeFolder(parent)
  try {
    mkdirSync(path)
  } catch (error) {
    const code = codeOf(error)
    // Somebody else may have made it meanwhile.
    if (code === 'EEXIST' && isFolder(path)) return
    if (code === 'EEXIST' && !existsSync(path)) {
      throw unwritableAt(path, 'a link on the way leads nowhere', error)
    }
    if (code === 'ENOENT') {
      throw unwritableAt(path, `the file system of ${parent} makes no folders`, error)
    }
    throw error
  }
}
