/**
 * Parts that broken-off downloads left, and which of them a later run goes on from: those with a validator, and not once
 * nobody came back for them for a month.
 */
import { lstatSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { descriptionPath, readDescription, validatorOf } from './part-description.ts'

const patienceMs = 30 * 24 * 60 * 60 * 1000

export interface LeftPart {
  readonly path: string
  readonly bytes: number
  /** Size of the whole file, where the source said it. */
  readonly total: number | undefined
  /** Whether the next run of its source goes on from it. */
  readonly isContinued: boolean
}

const partAt = (path: string, now: Date): LeftPart => {
  const found = lstatSync(path)
  const said = found.isFile() ? readDescription(path) : undefined
  const isYoung = now.getTime() - found.mtimeMs < patienceMs
  const isContinued = said !== undefined && validatorOf(said) !== undefined && isYoung
  return { path, bytes: found.isFile() ? found.size : 0, total: said?.total, isContinued }
}

/** The parts in folders for downloads. A link is one that nothing goes on from, whatever it leads to. */
export const leftParts = (folders: readonly string[], now: Date): readonly LeftPart[] =>
  folders
    .filter((folder) => lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true)
    .flatMap((folder) =>
      readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.name.endsWith('.part') && !entry.isDirectory())
        .map((entry) => partAt(join(folder, entry.name), now)),
    )

/** Removes the parts that nothing goes on from, and returns their paths. The caller holds the dataset's lock. */
export const removeDeadParts = (folders: readonly string[], now: Date): string[] =>
  leftParts(folders, now)
    .filter(({ isContinued }) => !isContinued)
    .map(({ path }) => {
      rmSync(path, { force: true })
      rmSync(descriptionPath(path), { force: true })
      return path
    })
