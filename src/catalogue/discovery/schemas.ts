/** The FlowMCP schemas in a set of folders. One that breaks a rule is reported, and the others are served. */
import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { StichtagError } from '../../errors.ts'
import { parseSchema } from '../../schema/parse.ts'
import { findSchemaFiles, readSchemaFile, readSchemaText } from '../../schema/read.ts'
import type { FlowSchema } from '../../schema/types.ts'
import type { Problem } from '../served.ts'

export interface Schemas {
  readonly schemas: readonly FlowSchema[]
  readonly problems: readonly Problem[]
  /** All files found, readable or not. */
  readonly files: readonly string[]
}

/** Reads a schema file. Throws as `readSchemaFile` does. */
export type ReadSchema = (file: string) => FlowSchema

/** Parses a file again only when its text has changed: parsing some dozens takes longer than a host should wait. */
export const schemaShelf = (): ReadSchema => {
  const shelf = new Map<string, { readonly text: string; readonly schema: FlowSchema }>()
  return (file) => {
    const text = readSchemaText(file)
    const kept = shelf.get(file)
    if (kept?.text === text) return kept.schema
    const schema = parseSchema(text, file)
    shelf.set(file, { text, schema })
    return schema
  }
}

/**
 * Reads every schema file in the folders. A folder that is not there has none. Where several folders have schemas of a
 * namespace, the last one's are taken: people's own come after those we bring along.
 */
export const readSchemas = (folders: readonly string[], readSchema: ReadSchema = readSchemaFile): Schemas => {
  const problems: Problem[] = []
  const attempt = <Result>(read: () => Result, file: string): Result | undefined => {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof StichtagError)) throw error
      problems.push({ code: error.code, message: withoutFolder(error.message, file) })
      return undefined
    }
  }
  const read = folders
    .filter((folder) => existsSync(folder))
    .map((folder) => {
      const files = attempt(() => findSchemaFiles(folder), folder) ?? []
      return { files, schemas: files.flatMap((file) => attempt(() => readSchema(file), file) ?? []) }
    })
  return {
    schemas: strongest(read.map(({ schemas }) => schemas)),
    problems,
    files: [...new Set(read.flatMap(({ files }) => files))],
  }
}

/** Of each namespace the schemas of the last folder that has any. */
const strongest = (folders: readonly (readonly FlowSchema[])[]): readonly FlowSchema[] =>
  folders.flatMap((schemas, place) => {
    const stronger = new Set(folders.slice(place + 1).flatMap((later) => later.map(({ namespace }) => namespace)))
    return schemas.filter(({ namespace }) => !stronger.has(namespace))
  })

/** Hosts see these words: they need the file's name, not the machine's folders. */
const withoutFolder = (message: string, file: string): string => {
  const named = message.replaceAll(file, basename(file))
  return named.includes(basename(file)) ? named : `${basename(file)}: ${named}`
}
