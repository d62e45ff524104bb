import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type Database from 'better-sqlite3'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { packageRoot } from '../../src/package-root.ts'
import { sampleRecords } from './sample-files.ts'
import { scratchDatabase } from './scratch-database.ts'

const querySchema = z.strictObject({
  sql: z.string(),
  description: z.string().min(1),
  parameters: z.record(
    z.string().regex(/^[a-z][a-zA-Z0-9]*$/),
    z.strictObject({
      type: z.enum(['string', 'number', 'boolean']),
      required: z.boolean(),
      default: z.union([z.string(), z.number(), z.boolean()]).optional(),
      // What other programs pass over: docs/flowmcp.md says what they do here.
      format: z.enum(['date', 'time']).optional(),
      column: z
        .string()
        .regex(/^\w+\.\w+$/)
        .optional(),
      description: z.string().min(1),
    }),
  ),
  output: z.strictObject({ columns: z.array(z.string()).min(1) }),
})

/** The documentation's form of a resource schema (dialect D-docs). */
const documentedForm = z.strictObject({
  namespace: z.literal('offeneregister'),
  name: z.string(),
  description: z.string(),
  version: z.literal('3.0.0'),
  docs: z.array(z.url()),
  tags: z.array(z.string()),
  root: z.literal(''),
  tools: z.strictObject({}),
  resources: z.strictObject({
    companiesDb: z.strictObject({
      source: z.literal('sqlite'),
      database: z.literal('openregister.db'),
      origin: z.literal('global'),
      description: z.string(),
      queries: z.record(z.string().regex(/^[a-z][a-zA-Z0-9]*$/), querySchema),
    }),
  }),
})

const loaded: { readonly main?: unknown } = await import(
  pathToFileURL(join(packageRoot, 'schemas', 'offeneregister.mjs')).href
)
const schema = documentedForm.parse(loaded.main)
const { queries } = schema.resources.companiesDb
const { database } = await scratchDatabase('offeneregister', await sampleRecords('2026-10-01'))
afterAll(() => {
  database.close()
})

type Query = z.infer<typeof querySchema>
type Values = Readonly<Record<string, string | number>>

const queryOf = (name: string): Query => {
  const found = queries[name]
  if (found === undefined) throw new Error(`no query ${name}`)
  return found
}

const statementOf = (name: string): Database.Statement => database.prepare(queryOf(name).sql)

const run = (name: string, values: Values = {}): Record<string, unknown>[] => {
  const bound = Object.entries(queryOf(name).parameters).map(([key, parameter]) => values[key] ?? parameter.default)
  return z.array(z.record(z.string(), z.unknown())).parse(statementOf(name).all(bound))
}

const column = (name: string, values: Values, key: string): unknown[] => run(name, values).map((row) => row[key])

describe('the schema of offeneregister', () => {
  it('has at most seven queries, getSchema among them', () => {
    expect(Object.keys(queries).length).toBeLessThanOrEqual(7)
    expect(Object.keys(queries)).toContain('getSchema')
  })

  it.each(Object.keys(queries))('%s only reads, and has a placeholder for each parameter', (name) => {
    const { sql, parameters } = queryOf(name)
    expect(statementOf(name).readonly).toBe(true)
    expect(sql).toMatch(/^(SELECT|WITH)\b/)
    expect([...sql.matchAll(/\?/g)]).toHaveLength(Object.keys(parameters).length)
  })

  it.each(Object.keys(queries))('%s has none of the words that FlowMCP blocks, under any of its rule sets', (name) => {
    const blocked = /ATTACH DATABASE|LOAD_EXTENSION|PRAGMA|CREATE|ALTER|DROP|INSERT|UPDATE|DELETE|REPLACE|TRUNCATE/i
    expect(queryOf(name).sql).not.toMatch(blocked)
  })

  it.each(Object.keys(queries))('%s gives the columns that it says', (name) => {
    const given = statementOf(name)
      .columns()
      .map((each) => each.name)
    const { columns } = queryOf(name).output
    // The documentation selects everything here, and names the columns that its readers look for.
    if (name === 'getByNumber') expect(given).toEqual(expect.arrayContaining(columns))
    else expect(given).toEqual(columns)
  })

  it('does not go by the name of the official register', () => {
    expect(JSON.stringify(schema)).not.toMatch(/handelsregister|commercial register|trade register/i)
  })
})

describe('its queries', () => {
  it('find companies by a part of their name, and honour the limit', () => {
    expect(run('searchCompanies', { searchTerm: '%Siemens%' })).toHaveLength(2)
    expect(run('searchCompanies', { searchTerm: '%BMW%', limit: 1 })).toHaveLength(1)
  })

  it('find the company that is cited everywhere', () => {
    expect(run('getByNumber', { companyNumber: 'K1101R_HRB150148' })).toMatchObject([
      { name: 'Stichprobe Nordelbe UG (haftungsbeschränkt)', status: 'currently registered', registered_date: null },
    ])
  })

  it('list registrations by date, latest first, and no company without a date', () => {
    const dates = column('recentRegistrations', {}, 'registered_date').map((date) => z.string().parse(date))
    expect(dates.length).toBeGreaterThan(3)
    expect(dates).toEqual([...dates].sort().reverse())
    expect(run('recentRegistrations', { limit: 2 })).toHaveLength(2)
  })

  it('find officers by plain words in any order, and their companies', () => {
    expect(run('searchOfficers', { query: 'müller  fiktiva beispielhausen ' })).toMatchObject([
      { name: 'Fiktiva Müller', company_number: 'D2601V_HRB900148' },
    ])
    expect(column('searchOfficers', { query: 'Schmidt' }, 'name')).toHaveLength(3)
  })

  it('take a star at the end of a word for the beginning of longer ones', () => {
    expect(run('searchOfficers', { query: 'Attrap*' })).toHaveLength(1)
    expect(run('searchOfficers', { query: 'Attrap' })).toHaveLength(0)
  })

  it.each(['"', '*', '', ' ', 'AND', 'name:', 'a"b', '(', "'", 'NEAR(', 'Schmidt OR', '^x', '-', '{'])(
    'take %j for words, never for full-text syntax',
    (query) => {
      expect(run('searchOfficers', { query })).toEqual([])
    },
  )

  it('skip a sign that stands alone', () => {
    expect(run('searchOfficers', { query: 'Fiktiva & Müller' })).toHaveLength(1)
  })

  it('list everybody of a company in the order of the source', () => {
    expect(column('officersOfCompany', { companyNumber: 'T2304V_GnR900005' }, 'ordinal')).toEqual(
      Array.from({ length: 36 }, (_, index) => index + 1),
    )
  })

  it('find the companies of a person by the exact name', () => {
    const person = { lastName: 'Mueller', firstName: 'Probus' }
    expect(column('companiesOfOfficer', person, 'company_number').sort()).toEqual([
      'B8534_HRB900773',
      'D2601V_HRB900148',
    ])
    expect(run('companiesOfOfficer', { ...person, lastName: 'Müller' })).toEqual([])
  })
})
