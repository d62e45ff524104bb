/** Schema files on the disk: finding them, and reading one as data. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { StichtagError } from '../errors.ts'
import { parseSchema } from './parse.ts'
import type { FlowSchema } from './types.ts'

/**
 * Reads a schema file of any dialect. It is never run.
 * @throws FILE_NOT_FOUND; SCHEMA_INVALID naming file, line or place, and what is wrong
 */
export const readSchemaFile = (path: string): FlowSchema => parseSchema(readSchemaText(path), path)

/** The text of a schema file. Throws FILE_NOT_FOUND. */
export const readSchemaText = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new StichtagError('FILE_NOT_FOUND', `${path} cannot be read.`, { data: { path }, cause })
  }
}

/**
 * All `*.mjs` files in a folder and the folders within, sorted, leaving out `node_modules` and hidden folders.
 * @throws FILE_NOT_FOUND where the folder cannot be read
 */
export const findSchemaFiles = (folder: string): string[] => {
  try {
    return [...filesIn(folder)].sort()
  } catch (cause) {
    throw new StichtagError('FILE_NOT_FOUND', `The folder of schemas ${folder} cannot be read.`, {
      data: { folder },
      cause,
    })
  }
}

function* filesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules' && !entry.name.startsWith('.')) yield* filesIn(path)
    } else if (entry.name.endsWith('.mjs') && (entry.isFile() || isLinkToFile(path))) {
      yield path
    }
  }
}

/** Links to files are followed, links to folders are not: they could lead in a circle. */
const isLinkToFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
