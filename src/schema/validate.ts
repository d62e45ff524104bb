/**
 * Checks FlowMCP schemas by the rules RES001 to RES024, in the numbering of FlowMCP's documentation site, and by those of
 * the dialect a schema is written in. Where dialects contradict each other, what any of them allows is allowed
 * (docs/flowmcp.md says where).
 */
import { existsSync } from 'node:fs'
import { StichtagError } from '../errors.ts'
import { databaseCandidates } from './databases.ts'
import { dialectOf } from './dialect.ts'
import { type Finding, isRawObject, type RawObject, type RuleFinding, warning } from './finding.ts'
import { type Exported, mainOf, normalForm } from './parse.ts'
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
 * Checks a schema's text, and tells in one go all that can be told: what cannot be read as data, which rules are broken,
 * and what keeps the reader from serving the rest. A schema without errors can be read.
 */
export const validateSchema = (text: string, path: string, options: Options): SchemaCheck => {
  const told: RuleFinding[] = []
  const refused: RuleFinding[] = []
  const exported = reading(
    () => mainOf(text, path, (thrown, place) => refused.push({ ...unreadable(thrown), path: place })),
    (finding) => {
      // That a file exports nothing is no news where its export was refused.
      if (refused.length === 0) told.push(finding)
    },
  )
  const { main } = exported ?? {}
  const { version, resources } = isRawObject(main) ? main : {}
  let dialect: Dialect | undefined
  // Where nothing came of the file, what was refused is all there is to say.
  if (exported !== undefined) {
    dialect = dialectOf({
      version: typeof version === 'string' ? version : '',
      resources: isRawObject(resources) ? resources : {},
    })
    const rules = resourcesFindings(resources, dialect)
    told.push(...rules.filter(({ path }) => !refused.some((each) => isAt(path, each.path))))
    told.push(...readerFindings(exported, path, dialect, [...refused, ...told], options))
  }
  // The place of what was refused is in its message, as a line.
  const findings = distinct([...refused.map((each) => ({ ...each, path: '' })), ...told])
  return { file: path, dialect, findings: findings.map((finding) => ({ file: path, ...finding })) }
}

/** Whether a place is one of which something was said already, lies within it, or holds it. */
const isAt = (place: string, said: string): boolean =>
  said !== '' && (`${place}.`.startsWith(`${said}.`) || `${said}.`.startsWith(`${place}.`))

const distinct = (findings: readonly RuleFinding[]): readonly RuleFinding[] => [
  ...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values(),
]

/** The finding that something cannot be read. Throws what is no error of the schema. */
const unreadable = (thrown: unknown): RuleFinding => {
  if (!(thrown instanceof StichtagError) || thrown.code !== 'SCHEMA_INVALID') throw thrown
  return { rule: thrown.code, severity: 'error', path: '', message: thrown.message }
}

const reading = <Result>(
  read: () => Result,
  tell: (finding: RuleFinding, place: string) => void,
): Result | undefined => {
  try {
    return read()
  } catch (thrown) {
    const finding = unreadable(thrown)
    const place = thrown instanceof StichtagError ? thrown.data.place : undefined
    tell(finding, typeof place === 'string' ? place : '')
    return undefined
  }
}

/**
 * What the reader says, of the whole if it can be read, else of each of its parts. Where a rule has spoken of a place,
 * the reader's words on it would say the same again.
 */
const readerFindings = (
  exported: Exported,
  path: string,
  dialect: Dialect,
  told: readonly RuleFinding[],
  options: Options,
): readonly RuleFinding[] => {
  const findings: RuleFinding[] = []
  const errors = told.filter(({ severity }) => severity === 'error')
  const isSaid = (place: string): boolean => errors.some((each) => isAt(place, each.path))
  let wholeProblem: RuleFinding | undefined
  const whole = reading(
    () => normalForm(exported, path),
    (finding) => {
      wholeProblem = finding
    },
  )
  const parts = whole === undefined ? partsOf(exported.main) : [exported.main]
  for (const main of parts) {
    const schema = reading(
      () => normalForm({ ...exported, main }, path),
      (finding, place) => {
        if (!isSaid(place)) findings.push(finding)
      },
    )
    if (schema === undefined) continue
    const found = readFindings({ ...schema, dialect }, exported.main, options)
    // A test of a query whose parameters are wrong, or a source that is none, needs no second word.
    findings.push(...found.filter((finding) => !isSaid(placeOf(finding))))
  }
  // Whatever the parts say, a schema that cannot be read has an error.
  const isSilent = errors.length === 0 && findings.every(({ severity }) => severity !== 'error')
  return wholeProblem !== undefined && isSilent ? [...findings, wholeProblem] : findings
}

/** What a finding is about: the query of a test, or the place that a note begins with. */
const placeOf = ({ rule, path, message }: RuleFinding): string =>
  rule === 'NOT_SERVED' ? (message.split(':')[0] ?? '') : path.replace(/\.tests\.\d+$/, '')

/** A schema without its resources, and each query alone: so that one mistake hides no other. */
const partsOf = (main: unknown): readonly unknown[] => {
  if (!isRawObject(main) || !isRawObject(main.resources)) return [main]
  // What is wrong beside the resources is said once, of the first part.
  const alone = (resources: RawObject): RawObject => ({ namespace: 'checked', resources })
  const queries = Object.entries(main.resources).flatMap(([name, resource]) => {
    if (!isRawObject(resource) || !isRawObject(resource.queries)) return [alone({ [name]: resource })]
    const withQueries = (some: RawObject): RawObject => alone({ [name]: { ...resource, queries: some } })
    return [withQueries({}), ...Object.entries(resource.queries).map(([query, raw]) => withQueries({ [query]: raw }))]
  })
  return [{ ...main, resources: {} }, ...queries]
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
