/** What doctor finds of the disk: whether it is full, and what broken-off downloads take of it. */
import { existsSync } from 'node:fs'
import { dataFolder, type Store } from '../store/layout.ts'
import { freeBytes, inWords, reserveBytes } from './disk-space.ts'
import type { DoctorFinding } from './doctor.ts'
import { isAtWork } from './doctor-own-files.ts'
import { leftParts } from './left-parts.ts'
import { partFolders } from './raw-files.ts'

/** The disk that a store lies on. */
export const examineDisk = (
  store: Store,
  { free = freeBytes, reserve = reserveBytes }: { free?: typeof freeBytes; reserve?: typeof reserveBytes } = {},
): DoctorFinding[] => {
  const path = dataFolder(store)
  if (!existsSync(path)) return []
  const [found, kept] = [free(path), reserve(path)]
  if (found > kept) return []
  const message =
    `the disk is full: ${inWords(found)} are free, and the ${inWords(kept)} of the reserve (STICHTAG_RESERVE) no run ` +
    'takes. Every run fails, and what is current stays'
  const advice = 'stichtag prune removes what is not kept; then look what else lies on this disk'
  return [{ dataset: null, severity: 'error', path, message, advice }]
}

/** Broken-off downloads of a dataset. Those of a run that is at work are its own. */
export const examineParts = (store: Store, dataset: string, now: Date): DoctorFinding[] => {
  if (isAtWork(store, dataset)) return []
  return leftParts(partFolders(store, dataset), now).map(({ path, bytes, total, isContinued }) => {
    const size = `${inWords(bytes)}${total === undefined ? '' : ` of ${inWords(total)}`}`
    return isContinued
      ? {
          dataset,
          severity: 'note',
          path,
          message: `a download that was broken off (${size})`,
          advice: `stichtag ingest ${dataset} goes on from there; to have it gone: rm '${path}'`,
        }
      : {
          dataset,
          severity: 'warning',
          path,
          message: `a download that was broken off (${size}), and that no run goes on from`,
          advice: `stichtag prune ${dataset} removes it, and so does the next run`,
        }
  })
}
