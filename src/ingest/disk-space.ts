/** Disk space, asked for before it is used: a disk that runs full in the middle of the night stops everybody. */
import { existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { StichtagError } from '../errors.ts'

/** A snapshot is about so many times as big as its delivery, unless the pipeline says otherwise. */
export const defaultSpaceFactor = 3

/** Bytes that an ordinary user can still write where this folder lies or will lie. */
export const freeBytes = (folder: string): number => {
  if (!existsSync(folder)) return freeBytes(dirname(folder))
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** Bytes that a snapshot will take: from its delivery's size, and never less than the current one takes. */
export const buildingBytes = (delivered: number, factor: number | undefined, currentBytes: number): number =>
  Math.ceil(Math.max(delivered * (factor ?? defaultSpaceFactor), currentBytes))

const inWords = (bytes: number): string => {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']
  const unit = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  return `${unit === 0 ? bytes : (bytes / 1024 ** unit).toFixed(1)} ${units[unit]}`
}

/** @throws STORE_UNWRITABLE, naming what is needed and what is free */
export const checkSpace = (
  dataset: string,
  folder: string,
  needed: number,
  free: (folder: string) => number = freeBytes,
): void => {
  const found = free(folder)
  if (found >= needed) return
  throw new StichtagError(
    'STORE_UNWRITABLE',
    `${dataset}: the run needs about ${inWords(needed)} in ${folder}, and ${inWords(found)} are free. ` +
      'The current snapshot is unchanged. Make room (stichtag prune), or see `space` of the pipeline.',
    { data: { dataset, folder, needed, free: found } },
  )
}
