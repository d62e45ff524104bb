/**
 * The bundled samples of a dataset: invented records in folders named by date. A delivery that is one of them is a
 * sample however it came, by `--sample`, `--from` or from a test publisher; it must never pass for real data.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { StichtagError } from '../errors.ts'

const datedFolders = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => /^\d{4}-\d{2}-\d{2}$/.test(name))
        .sort()
        .map((name) => join(folder, name))
    : []

/** The newest of a dataset's bundled samples. Throws FILE_NOT_FOUND where there is none. */
export const newestSample = (folder: string): string => {
  const newest = datedFolders(folder).at(-1)
  if (newest === undefined) {
    throw new StichtagError('FILE_NOT_FOUND', `there is no bundled sample in ${folder}`, { data: { folder } })
  }
  return newest
}

/** A delivered file, or a folder with the members of an archive. */
interface Delivered {
  readonly sha256: string
  readonly path: string
}

/** Whether any of these files is, byte for byte, one of a bundled sample, or the members of one, unpacked. */
export const isSampleDelivery = (folder: string, files: readonly Delivered[]): boolean => {
  const samples = datedFolders(folder)
    .flatMap((dated) => readdirSync(dated).map((name) => join(dated, name)))
    .map((path) => readFileSync(path))
  const digests = new Set(samples.map((bytes) => createHash('sha256').update(bytes).digest('hex')))
  return files.some(({ sha256, path }) => digests.has(sha256) || holdsMembersOf(path, samples))
}

/** Whether all files of a folder are members of a sample's archive: those are stored in it as they are. */
const holdsMembersOf = (folder: string, samples: readonly Buffer[]): boolean => {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return false
  const paths = readdirSync(folder).map((name) => join(folder, name))
  return samples.some((sample) => paths.length > 0 && paths.every((path) => holdsFile(sample, path)))
}

const holdsFile = (sample: Buffer, path: string): boolean => {
  const found = statSync(path, { throwIfNoEntry: false })
  return found?.isFile() === true && found.size <= sample.length && sample.includes(readFileSync(path))
}
