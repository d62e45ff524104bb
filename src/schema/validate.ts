/**
 * Checks FlowMCP schemas by the rules RES001 to RES024, in the numbering of FlowMCP's documentation site, and by those of
 * the dialect a schema is written in. Where dialects contradict each other, what any of them allows is allowed
 * (docs/flowmcp.md says where).
 */
import { existsSync } from 'node:fs'
import { StichtagError } from '../errors.ts'
import { databaseCandidates } from './databases.ts'
import { dialectOf } from './dialect.ts'
import { type Finding, isRawObject, type RuleFinding, warning } from './finding.ts'
import { mainOf, parseSchema } from './parse.ts'
import { readSchemaText } from './read.ts'
import { resourcesFindings } from './resource-rules.ts'
import { testFindings } from './test-rules.ts'
import type { Dialect, FlowSchema } from './types.ts'

export interface ValidateOptions {
  /** Roots in which databases are looked for (RES021). */
  readonly globalRoot: string
  readonly projectRoot: string
}

export interface SchemaCheck {
  readonly file: string
  /** Undefined where the file cannot be read as data. */
  readonly dialect: Dialect | undefined
  readonly findings: readonly Finding[]
}

type Options = ValidateOptions & { readonly exists: (path: string) => boolean }

/** Checks a schema file. Throws FILE_NOT_FOUND. */
export const validateSchemaFile = (path: string, options: ValidateOptions): SchemaCheck =>
  validateSchema(readSchemaText(path), path, { ...options, exists: existsSync })

/**
 * Checks a schema's text. A schema without errors can be read: what the rules let pass and the reader does not is an
 * error of its own.
 */
export const validateSchema = (text: string, path: string, options: Options): SchemaCheck => {
  let dialect: Dialect | undefined
  let main: unknown
  const findings = readable(() => {
    main = mainOf(text, path).main
    const { version, resources } = isRawObject(main) ? main : {}
    dialect = dialectOf({
      version: typeof version === 'string' ? version : '',
      resources: isRawObject(resources) ? resources : {},
    })
    return resourcesFindings(resources, dialect)
  })
  const hasErrors = findings.some(({ severity }) => severity === 'error')
  const rest = hasErrors ? [] : readable(() => readFindings(parseSchema(text, path), main, options))
  return { file: path, dialect, findings: [...findings, ...rest].map((finding) => ({ file: path, ...finding })) }
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

/** What can be said of a schema once it has been read. */
const readFindings = (schema: FlowSchema, main: unknown, options: Options): readonly RuleFinding[] => [
  ...databaseFindings(schema, options),
  ...testFindings(schema, main),
  ...schema.notServed.map((message): RuleFinding => ({ rule: 'NOT_SERVED', severity: 'warning', path: '', message })),
]

const databaseFindings = (schema: FlowSchema, { exists, ...roots }: Options): readonly RuleFinding[] =>
  schema.resources.flatMap(({ name, database }) => {
    const tried = databaseCandidates(database, { schemaFile: schema.file, ...roots }).map(({ path }) => path)
    if (tried.some(exists)) return []
    const mend = 'Ingest the dataset, or put the file there.'
    return [warning('RES021', `resources.${name}.database`, `none at ${tried.join(', ')}`, mend)]
  })
