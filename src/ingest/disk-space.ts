/** Disk space, asked for before it is used: a disk that runs full in the middle of the night stops everybody. */
import { existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { StichtagError } from '../errors.ts'
import { reserveSetting } from '../settings.ts'

/** A snapshot is about so many times as big as its delivery, unless the pipeline says otherwise. */
export const defaultSpaceFactor = 3

/** Bytes that an ordinary user can still write where this folder lies or will lie. */
export const freeBytes = (folder: string): number => {
  if (!existsSync(folder)) return freeBytes(dirname(folder))
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

const mebibyte = 1024 * 1024

/**
 * Bytes that no run takes of the disk on which a folder lies: what ledger, state.json and a moved pointer need when all
 * else is full, and what other programs do.
 */
export const reserveBytes = (folder: string): number => {
  const said = reserveSetting()
  if (said !== undefined) return said * mebibyte
  if (!existsSync(folder)) return reserveBytes(dirname(folder))
  const { blocks, bsize } = statfsSync(folder)
  return Math.min(1024 * mebibyte, Math.max(4 * mebibyte, (blocks * bsize) / 100))
}

/** Bytes that a run may still write where this folder lies or will lie. Below zero where others used the reserve. */
export const writableBytes = (folder: string): number => freeBytes(folder) - reserveBytes(folder)

/** Bytes that a snapshot will take: from its delivery's size, and never less than the current one takes. */
export const buildingBytes = (delivered: number, factor: number | undefined, currentBytes: number): number =>
  Math.ceil(Math.max(delivered * (factor ?? defaultSpaceFactor), currentBytes))

/** A number of bytes as people read it. */
export const inWords = (bytes: number): string => {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']
  const unit = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  return `${unit === 0 ? bytes : (bytes / 1024 ** unit).toFixed(1)} ${units[unit]}`
}

/** @throws STORE_UNWRITABLE, naming what is needed and what is free; `told` begins the message */
export const checkSpace = (
  dataset: string,
  folder: string,
  needed: number,
  free: (folder: string) => number = writableBytes,
  told = '',
): void => {
  const found = free(folder)
  if (found >= needed) return
  throw new StichtagError(
    'STORE_UNWRITABLE',
    `${dataset}: ${told}the run needs about ${inWords(needed)} in ${folder}, and ${inWords(Math.max(0, found))} are free ` +
      'beside the reserve (STICHTAG_RESERVE). The current snapshot is unchanged. ' +
      'Make room (stichtag prune), or see `space` of the pipeline.',
    { data: { dataset, folder, needed, free: found } },
  )
}

/**
 * Asked while a snapshot is built, whose size nobody knows for sure: what is packed may come out at any size.
 *
 * @throws STORE_UNWRITABLE where nothing but the reserve is left
 */
export const checkReserve = (
  dataset: string,
  folder: string,
  free: (folder: string) => number = writableBytes,
): void => {
  const found = free(folder)
  if (found > 0) return
  throw new StichtagError(
    'STORE_UNWRITABLE',
    `${dataset}: the disk of ${folder} ran full while the snapshot was built: nothing is left of it but the reserve ` +
      '(STICHTAG_RESERVE). What was built is removed. The current snapshot is unchanged. ' +
      'Make room (stichtag prune), or see `space` of the pipeline.',
    { data: { dataset, folder, free: found } },
  )
}
