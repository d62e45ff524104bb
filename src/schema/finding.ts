/** What a check of a schema finds. */
import { type Rule, ruleTexts } from './rules.ts'

export interface Finding {
  readonly file: string
  /**
   * `RES001` to `RES024` in the numbering of FlowMCP's documentation site; a rule of another dialect with its name,
   * `3.1 RES003`; `SCHEMA_INVALID` for what keeps the file from being read as data at all; `NOT_SERVED` for what is
   * valid FlowMCP and is not served here.
   */
  readonly rule: string
  /** An error keeps the schema from being valid; a warning does not. */
  readonly severity: 'error' | 'warning'
  /** Where in the schema: `resources.companiesDb.queries.search.sql`. */
  readonly path: string
  /** The rule, what was found, and how to mend it. */
  readonly message: string
}

/** A finding of a rule, before it is known in which file. */
export type RuleFinding = Omit<Finding, 'file'>

const longestShown = 60

/** A value of a schema as a message shows it. */
export const shownValue = (value: unknown): string => {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text
}

const finding =
  (severity: Finding['severity']) =>
  (rule: Rule, path: string, found: string, mend: string): RuleFinding => ({
    rule,
    severity,
    path,
    message: `${ruleTexts[rule]}. Found: ${found}. ${mend}`,
  })

/** A finding by its rule, place, what was found there, and how to mend it. */
export const error = finding('error')
export const warning = finding('warning')

export type RawObject = Readonly<Record<string, unknown>>

export const isRawObject = (value: unknown): value is RawObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a value is text with something in it. */
export const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

export const camelCase = /^[a-z][a-zA-Z0-9]*$/
