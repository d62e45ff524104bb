/**
 * The index of a publisher's that lies beside a file in a folder: a person who copied a whole export has it, and what it
 * says of the file is checked as if it had been fetched.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { asStichtagError, StichtagError } from '../errors.ts'
import type { SourceDefinition } from '../pipeline/types.ts'
import { fileAt, localPathOf } from './location.ts'
import type { PlannedFile } from './plan.ts'

/**
 * The file with what the index beside it says; the file as it is where none lies there, or the file is packed there, of
 * which the index says nothing.
 *
 * @throws NOT_WHAT_IT_SAYS, SOURCE_FAILED as of the pipeline, naming the index
 */
export const describedByIndex = (file: PlannedFile, source: SourceDefinition): PlannedFile => {
  const folder = localPathOf(file.location)
  if (source.index === undefined || folder === undefined) return file
  const path = join(folder, source.index.name)
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true || !existsSync(path)) return file
  if (basename(fileAt(folder, source.name)) !== source.name) return file
  try {
    const said = source.index.describe(JSON.parse(readFileSync(path, 'utf8')), pathToFileURL(path).href)
    const { bytes, sha1, sha256, publisherDate, records } = said
    return {
      ...file,
      expected: { bytes, sha1: sha1?.toLowerCase(), sha256: sha256?.toLowerCase() },
      said: { publisherDate, records },
    }
  } catch (error) {
    if (error instanceof StichtagError) throw error
    const message = `${path} is no index: ${asStichtagError(error).message}`
    throw new StichtagError('NOT_WHAT_IT_SAYS', message, { data: { file: path }, cause: error })
  }
}

/** The file with the date that its name on this machine says, where no index says one. */
export const datedByName = (file: PlannedFile, { dateInName }: SourceDefinition): PlannedFile => {
  if (dateInName === undefined || file.said?.publisherDate !== undefined) return file
  const path = localPathOf(file.location)
  const isFile = path !== undefined && statSync(path, { throwIfNoEntry: false })?.isFile() === true
  const publisherDate = isFile ? dateInName(basename(path)) : undefined
  return publisherDate === undefined ? file : { ...file, said: { ...file.said, publisherDate } }
}
