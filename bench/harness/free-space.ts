/** Free bytes on the disk of the run's folder. */
import { mkdirSync, statfsSync } from 'node:fs'
import type { Bench } from './row.ts'

export const freeBytes = ({ work }: Pick<Bench, 'work'>): number => {
  mkdirSync(work, { recursive: true })
  const { bavail, bsize } = statfsSync(work)
  return bavail * bsize
}
