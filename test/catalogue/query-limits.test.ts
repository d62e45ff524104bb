/** What an answer says of rows that are not in it: cut by the statement's own limit, or not there at all. */
import { describe, expect, it } from 'vitest'
import type { CatalogueSource } from '../../src/catalogue/types.ts'
import { answerOf, bodyOf, open, registerWith } from './opened.ts'

const companies = [
  { number: 'K1', name: 'Alpha', officers: ['Anna', 'Carl'] },
  { number: 'K2', name: 'Beta' },
  { number: 'K3', name: 'Gamma' },
]

const number = { type: 'number', required: false, default: 2, description: 'Most rows.' }
const any = { type: 'number', required: false, default: 2, description: 'A number.' }
const text = { type: 'string', required: true, description: 'A text.' }

const openWith = (sql: string, parameters: Readonly<Record<string, unknown>> = {}): Promise<CatalogueSource> => {
  const register = registerWith(companies)
  register.writeSchema({
    namespace: 'offeneregister',
    name: 'OffeneRegister',
    version: '3.0.0',
    description: 'Companies.',
    root: '',
    tools: {},
    resources: {
      companiesDb: {
        source: 'sqlite',
        database: 'openregister.db',
        origin: 'global',
        description: 'Companies.',
        queries: { find: { sql, description: 'Find.', parameters } },
      },
    },
  })
  return open(register)
}

const all = 'SELECT name FROM company ORDER BY name'

describe('an answer says that it was cut by the limit of its statement', () => {
  it.each([
    [`${all} LIMIT ?`, { limit: number }],
    [`${all} LIMIT ? OFFSET 0;`, { limit: number }],
    [`${all} LIMIT 0, ?`, { most: any }],
    [`${all} LIMIT min(?, 100)`, { most: any }],
    [`${all} LIMIT min(?, 100) -- no more`, { most: any }],
    [`SELECT name FROM company UNION SELECT name FROM officer WHERE 0 LIMIT ?`, { limit: number }],
    [`SELECT name FROM (${all} LIMIT ?)`, { limit: number }],
    [`SELECT name FROM (${all} LIMIT ?) LIMIT ?`, { limit: number, most: { ...number, default: 100 } }],
  ])('%s', async (sql, parameters) => {
    const source = await openWith(sql, parameters)
    const [name = ''] = Object.keys(parameters)
    const find = (limit: number) => answerOf(source, 'find_offeneregister', { [name]: limit })
    expect(await find(2)).toMatchObject({
      rows: [{ name: 'Alpha' }, { name: 'Beta' }],
      rowCount: 2,
      truncated: true,
      truncatedBy: 'rows',
    })
    expect(await find(3)).toMatchObject({ rowCount: 3, truncated: false })
    expect(await find(4)).toMatchObject({ rowCount: 3, truncated: false })
    expect(await find(0)).toMatchObject({ rowCount: 0, truncated: true })
    expect(await bodyOf(source, 'offeneregister://query/find')).toMatchObject({ rows: { length: 2 }, truncated: true })
  })

  it.each([
    [`${all} LIMIT 2`, 2, true],
    [`${all} LIMIT 2 /* two */ OFFSET 1`, 2, false],
    [`${all} LIMIT (SELECT count(*) FROM company) - 1`, 2, true],
    [`${all} LIMIT 3`, 3, false],
    [`${all} LIMIT -1`, 3, false],
  ])('that its author wrote: %s', async (sql, rowCount, truncated) => {
    const source = await openWith(sql)
    expect(await answerOf(source, 'find_offeneregister')).toMatchObject({ rowCount, truncated })
  })

  it('and not where rows were left out after a limit within that was not reached', async () => {
    const sql = `SELECT name FROM (${all} LIMIT ?) WHERE name <> 'Beta'`
    const source = await openWith(sql, { limit: number })
    expect(await answerOf(source, 'find_offeneregister', { limit: 3 })).toMatchObject({ rowCount: 2, truncated: false })
    expect(await answerOf(source, 'find_offeneregister', { limit: 2 })).toMatchObject({ rowCount: 1, truncated: true })
  })

  it('of which the caller is reminded where the statement is his own', async () => {
    const source = await openWith(all)
    const free = (sql: string) => answerOf(source, 'freeQuery_offeneregister', { sql })
    expect(await free(`${all} LIMIT 2`)).toMatchObject({ rowCount: 2, note: expect.stringContaining('own LIMIT') })
    expect(await free(`${all} LIMIT 4`)).not.toHaveProperty('note')
  })
})

describe('an answer without rows', () => {
  const officers = 'SELECT name FROM officer WHERE company_id = upper(?)'

  it('says where there is no such key at all', async () => {
    const source = await openWith(officers, { company: { ...text, column: 'company.company_number' } })
    const find = (company: string) => answerOf(source, 'find_offeneregister', { company })
    const note = 'company: no row of the table company has the company_number "K9".'
    expect(await find('K9')).toMatchObject({ rowCount: 0, note })
    expect(await find('K2')).not.toHaveProperty('note')
    expect(await find('k2')).not.toHaveProperty('note')
    expect(await bodyOf(source, 'offeneregister://query/find/K9')).toMatchObject({ note })
  })

  it('compares a value that is no key in any case', async () => {
    const source = await openWith(`SELECT name FROM company WHERE name = ? AND 0`, {
      name: { ...text, column: 'company.name' },
    })
    expect(await answerOf(source, 'find_offeneregister', { name: 'bETA' })).not.toHaveProperty('note')
    expect(await answerOf(source, 'find_offeneregister', { name: 'bet' })).toHaveProperty('note')
  })

  it.each(['nowhere.name', 'company.nothing', 'company', 7])('takes no notice of a column %s', async (column) => {
    const source = await openWith(officers, { company: { ...text, column } })
    expect(await answerOf(source, 'find_offeneregister', { company: 'K9' })).not.toHaveProperty('note')
  })
})
