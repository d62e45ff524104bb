/**
 * Checks FlowMCP schemas by the rules RES001 to RES024, in the numbering of FlowMCP's documentation site. Where dialects
 * contradict each other, what any of them allows is allowed (docs/flowmcp.md says where).
 */
import { existsSync } from 'node:fs'
import { StichtagError } from '../errors.ts'
import { databaseCandidates } from './databases.ts'
import { dialectOf } from './dialect.ts'
import { type Finding, isRawObject, type RuleFinding, warning } from './finding.ts'
import { mainOf, parseSchema } from './parse.ts'
import { readSchemaText } from './read.ts'
import { resourcesFindings } from './resource-rules.ts'
import type { FlowSchema } from './types.ts'

export interface ValidateOptions {
  /** Roots in which databases are looked for (RES021). */
  readonly globalRoot: string
  readonly projectRoot: string
}

/** Checks a schema file. Throws FILE_NOT_FOUND. */
export const validateSchemaFile = (path: string, options: ValidateOptions): Finding[] =>
  validateSchema(readSchemaText(path), path, { ...options, exists: existsSync })

/**
 * Checks a schema's text. A schema without errors can be read: what the rules let pass and the reader does not is an
 * error of its own.
 */
export const validateSchema = (
  text: string,
  path: string,
  options: ValidateOptions & { readonly exists: (path: string) => boolean },
): Finding[] => {
  const findings = readable(() => {
    const { main } = mainOf(text, path)
    const { version, resources } = isRawObject(main) ? main : {}
    const dialect = dialectOf({
      version: typeof version === 'string' ? version : '',
      resources: isRawObject(resources) ? resources : {},
    })
    return resourcesFindings(resources, dialect)
  })
  const hasErrors = findings.some(({ severity }) => severity === 'error')
  const rest = hasErrors ? [] : readable(() => databaseFindings(parseSchema(text, path), options))
  return [...findings, ...rest].map((finding) => ({ file: path, ...finding }))
}

/** The findings of a check, or the one that the schema cannot be read. */
const readable = (check: () => readonly RuleFinding[]): readonly RuleFinding[] => {
  try {
    return check()
  } catch (thrown) {
    if (!(thrown instanceof StichtagError) || thrown.code !== 'SCHEMA_INVALID') throw thrown
    return [{ rule: thrown.code, severity: 'error', path: '', message: thrown.message }]
  }
}

const databaseFindings = (
  schema: FlowSchema,
  { exists, ...roots }: ValidateOptions & { readonly exists: (path: string) => boolean },
): readonly RuleFinding[] =>
  schema.resources.flatMap(({ name, database }) => {
    const tried = databaseCandidates(database, { schemaFile: schema.file, ...roots })
    if (tried.some(exists)) return []
    const message = `The database is at none of ${tried.join(', ')}. Ingest the dataset, or put the file there.`
    return [warning('RES021', `resources.${name}.database`, message)]
  })
