/** Programs of the machine that rows compare with, and the Debian packages that they are in. */
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const debianPackages = {
  sqlite3: 'sqlite3',
  unzip: 'unzip',
  zip: 'zip',
  bzip2: 'bzip2',
  lbzip2: 'lbzip2',
} as const

export type Program = keyof typeof debianPackages

const isExecutable = (path: string): boolean => {
  if (!existsSync(path)) return false
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EACCES') return false
    throw error
  }
}

export const hasProgram = (name: Program): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => isExecutable(join(folder, name)))

/** Why a comparison cannot be made without them; undefined where all are there. */
export const missingPrograms = (...names: readonly Program[]): string | undefined => {
  const missing = names.filter((name) => !hasProgram(name))
  if (missing.length === 0) return undefined
  return `${missing.join(' and ')} not found; on Debian: apt-get install ${missing.map((name) => debianPackages[name]).join(' ')}`
}

/** What is missing of all that any row wants. */
export const missingOfAll = (): string | undefined => missingPrograms('sqlite3', 'unzip', 'zip', 'bzip2', 'lbzip2')
