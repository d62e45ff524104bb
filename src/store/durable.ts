/**
 * Writing so that it survives a power cut: content is fsynced before a name points to it, and the folder that holds
 * the name is fsynced after.
 */
import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
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
  } catch (error) {
    rmSync(beside, { force: true })
    throw storeError(error, path)
  }
  syncFolder(dirname(path))
}

/** Makes `path` a symlink to `target` by renaming a fresh one over it: there is no moment without it. */
export const replaceSymlink = (target: string, path: string): void => {
  const beside = besideOf(path)
  try {
    symlinkSync(target, beside)
    renameSync(beside, path)
  } catch (error) {
    rmSync(beside, { force: true })
    throw storeError(error, path)
  }
  syncFolder(dirname(path))
}

const unwritable: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the disk is read-only',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EIO: 'the disk reports an error',
  SQLITE_FULL: 'the disk is full',
  SQLITE_READONLY: 'the file is read-only',
  SQLITE_CANTOPEN: 'the file cannot be opened',
}

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''

/** A system or SQLite error met while writing to a store, in words; anything else stays what it is. */
export const storeError = (error: unknown, path: string): unknown => {
  const code = codeOf(error)
  const why = unwritable[code] ?? (code.startsWith('SQLITE_IOERR') ? 'the disk reports an error' : undefined)
  if (why === undefined) return error
  return new StichtagError('STORE_UNWRITABLE', `cannot write ${path}: ${why}. The current snapshot is unchanged.`, {
    data: { path, system: code },
    cause: error,
  })
}
