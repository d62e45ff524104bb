/**
 * The bundled samples of a dataset: invented records in folders named by date. A delivery that is one of them is a
 * sample however it came, by `--sample`, `--from` or from a test publisher; it must never pass for real data.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
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

/** Whether any of these files is, byte for byte, one of a bundled sample. */
export const isSampleDelivery = (folder: string, files: readonly { readonly sha256: string }[]): boolean => {
  const samples = new Set(
    datedFolders(folder)
      .flatMap((dated) => readdirSync(dated).map((name) => join(dated, name)))
      .map((path) => createHash('sha256').update(readFileSync(path)).digest('hex')),
  )
  return files.some(({ sha256 }) => samples.has(sha256))
}
