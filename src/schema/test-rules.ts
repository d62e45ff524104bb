/** Rules about the tests of queries: their values must be ones that the query would take. */
import { StichtagError } from '../errors.ts'
import { checkStatement } from '../query/statement.ts'
import { boundValues } from './arguments.ts'
import { error, isRawObject, type RawObject, type RuleFinding, shownValue } from './finding.ts'
import { dynamicSql } from './injected.ts'
import type { FlowSchema, SchemaQuery } from './types.ts'

/** Checks the tests in a schema's file against the queries it has in the normal form. */
export const testFindings = (schema: FlowSchema, main: unknown): readonly RuleFinding[] => {
  // The documentation shows no tests, so that nothing it says is broken by one.
  const isDocumented = schema.dialect === 'D-docs' || schema.dialect === 'D-flat'
  const forDialect = (finding: RuleFinding): RuleFinding =>
    isDocumented ? { ...finding, severity: 'warning' } : finding
  return schema.resources.flatMap(({ name, queries }) =>
    queries.flatMap((query) => {
      const path = ['resources', name, 'queries', query.name, 'tests']
      const tests = valueAt(main, path)
      return Array.isArray(tests)
        ? tests.flatMap((test, index) => findingsOf(query, test, `${path.join('.')}.${index}`)).map(forDialect)
        : []
    }),
  )
}

const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (inner, field) => (isRawObject(inner) && Object.hasOwn(inner, field) ? inner[field] : undefined),
    value,
  )

/** `_description` and whatever else begins so is about the test. */
const valuesOf = (test: RawObject): RawObject =>
  Object.fromEntries(Object.entries(test).filter(([name]) => !name.startsWith('_')))

const findingsOf = (query: SchemaQuery, test: unknown, path: string): readonly RuleFinding[] => {
  if (!isRawObject(test)) return [error('3.0a RES022', path, shownValue(test), 'Make the test an object of values.')]
  const values = valuesOf(test)
  const refusal = refusalOf(() => boundValues(query, values))
  if (refusal !== undefined) return [error('3.0a RES022', path, shownValue(values), refusal)]
  const { sql } = values
  if (query.sql !== dynamicSql || typeof sql !== 'string') return []
  // Tables are not known here: what is called like a function may be a full-text table of the database.
  const statement = refusalOf(() => checkStatement(sql, (name) => !name.startsWith('pragma_')))
  return statement === undefined ? [] : [error('3.0b RES028', path, shownValue(sql), statement)]
}

const refusalOf = (check: () => unknown): string | undefined => {
  try {
    check()
    return undefined
  } catch (thrown) {
    const isExpected = thrown instanceof StichtagError && thrown.code !== 'INTERNAL'
    if (isExpected) return thrown.message
    throw thrown
  }
}
