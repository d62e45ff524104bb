/** What a check of a schema finds. */

export interface Finding {
  readonly file: string
  /** `RES001` to `RES024`, or `SCHEMA_INVALID` for what keeps the file from being read as data at all. */
  readonly rule: string
  /** An error keeps the schema from being valid; a warning does not. */
  readonly severity: 'error' | 'warning'
  /** Where in the schema: `resources.companiesDb.queries.search.sql`. */
  readonly path: string
  /** What is wrong and how to mend it. */
  readonly message: string
}

/** A finding of a rule, before it is known in which file. */
export type RuleFinding = Omit<Finding, 'file'>

export const error = (rule: string, path: string, message: string): RuleFinding => ({
  rule,
  severity: 'error',
  path,
  message,
})

export const warning = (rule: string, path: string, message: string): RuleFinding => ({
  rule,
  severity: 'warning',
  path,
  message,
})

export type RawObject = Readonly<Record<string, unknown>>

export const isRawObject = (value: unknown): value is RawObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a value is text with something in it. */
export const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

export const camelCase = /^[a-z][a-zA-Z0-9]*$/
