import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import type { CatalogueSource, Completion } from '../../src/catalogue/types.ts'
import type { RowsRequest } from '../../src/query/types.ts'
import { createInProcessPool } from './in-process-pool.ts'
import { open, registerWith } from './opened.ts'

const complete = (
  source: CatalogueSource,
  template: string,
  argument: string,
  value: string,
  context: Readonly<Record<string, string>> = {},
): Promise<Completion> => source.current.complete(template, argument, value, context)

const company = 'offeneregister://company/{company_number}'
const officer = 'offeneregister://officer/{company_id}/{ordinal}'

const companies = [
  { number: 'K1101R_HRB1', name: 'a', officers: ['x', 'y'] },
  { number: 'K1101R_HRB10', name: 'b', officers: ['z'] },
  { number: 'K1102', name: 'c' },
  { number: 'Köln 5', name: 'd' },
]

describe('completion', () => {
  it.each([
    ['', ['K1101R_HRB1', 'K1101R_HRB10', 'K1102', 'K~C3~B6ln~205']],
    ['K1101', ['K1101R_HRB1', 'K1101R_HRB10']],
    ['K1101R_HRB10', ['K1101R_HRB10']],
    ['Kö', ['K~C3~B6ln~205']],
    ['K~C3~B6', ['K~C3~B6ln~205']],
    ['k', []],
    ['Z', []],
  ])('of a key that begins with %j gives %j, as URIs spell them', async (typed, values) => {
    const source = await open(registerWith(companies))
    const answer = await complete(source, company, 'company_number', typed)
    expect(answer.values).toEqual(values)
    expect(answer.hasMore).toBe(false)
  })

  it.each(['K~', 'K~C', 'K~C3', 'K~C3~B'])('goes on while %s is within an escape', async (typed) => {
    const source = await open(registerWith(companies))
    expect((await complete(source, company, 'company_number', typed)).values).toContain('K~C3~B6ln~205')
  })

  it('of a second key column goes by the first, each value once', async () => {
    const source = await open(registerWith(companies))
    expect((await complete(source, officer, 'company_id', '')).values).toEqual(['K1101R_HRB1', 'K1101R_HRB10'])
    const ordinals = (context: Readonly<Record<string, string>>) => complete(source, officer, 'ordinal', '', context)
    expect((await ordinals({ company_id: 'K1101R_HRB1' })).values).toEqual(['1', '2'])
    expect((await ordinals({ company_id: 'nobody' })).values).toEqual([])
    expect((await ordinals({})).values).toEqual([])
  })

  it('of a number gives numbers that begin with the digits', async () => {
    const officers = Array.from({ length: 130 }, () => 'x')
    const source = await open(registerWith([{ number: 'K1', name: 'a', officers }]))
    const ordinals = async (typed: string) =>
      (await complete(source, officer, 'ordinal', typed, { company_id: 'K1' })).values
    expect(await ordinals('12')).toEqual(['12', '120', '121', '122', '123', '124', '125', '126', '127', '128', '129'])
    expect(await ordinals('0')).toEqual([])
    expect(await ordinals('x')).toEqual([])
  })

  it('gives 100 values at most, and says whether there are more', async () => {
    const numbered = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ number: `K${String(n).padStart(3, '0')}`, name: 'x' }))
    const exactly = await open(registerWith(numbered(100)))
    expect(await complete(exactly, company, 'company_number', 'K')).toMatchObject({
      values: { length: 100 },
      total: 100,
      hasMore: false,
    })
    const more = await complete(await open(registerWith(numbered(101))), company, 'company_number', 'K')
    expect(more).toMatchObject({ values: { length: 100 }, hasMore: true })
    expect(more).not.toHaveProperty('total')
  })

  it('of versions gives the kept ones, newest first, and keys as of a version', async () => {
    const register = registerWith([{ number: 'OLD', name: 'x' }])
    const old = register.current ?? ''
    const now = register.publish([{ number: 'NEW', name: 'x' }])
    const source = await open(register)
    const snapshot = 'offeneregister://snapshots/{version}/company/{company_number}'
    expect((await complete(source, snapshot, 'version', '')).values).toEqual([now, old])
    expect((await complete(source, 'offeneregister://changes/{version}', 'version', now)).values).toEqual([now])
    expect((await complete(source, snapshot, 'company_number', '', { version: old })).values).toEqual(['OLD'])
    expect((await complete(source, snapshot, 'company_number', '')).values).toEqual(['NEW'])
  })

  it('of a query parameter gives its allowed values, or the key it is named after', async () => {
    const register = registerWith(companies)
    register.writeSchema({
      namespace: 'offeneregister',
      name: 'o',
      version: '3.0.0',
      description: 'd',
      root: '',
      tools: {},
      resources: {
        db: {
          source: 'sqlite',
          mode: 'in-memory',
          origin: 'global',
          name: 'openregister.db',
          description: 'd',
          queries: {
            byNumber: {
              sql: 'SELECT * FROM company WHERE company_number = ? AND name = ?',
              description: 'd',
              parameters: [
                {
                  position: { key: 'companyNumber', value: '{{USER_PARAM}}' },
                  z: { primitive: 'string()', options: [] },
                },
                {
                  position: { key: 'kind', value: '{{USER_PARAM}}' },
                  z: { primitive: 'enum(GmbH,AG,GbR)', options: [] },
                },
              ],
            },
          },
        },
      },
    })
    const source = await open(register)
    const template = 'offeneregister://query/byNumber/{companyNumber}/{kind}'
    expect((await complete(source, template, 'kind', 'G')).values).toEqual(['GmbH', 'GbR'])
    expect((await complete(source, template, 'companyNumber', 'K1102')).values).toEqual(['K1102'])
    expect((await complete(source, template, 'nothing', '')).values).toEqual([])
  })

  it('of a template that is none of ours is refused', async () => {
    const source = await open(registerWith(companies))
    await expect(complete(source, 'offeneregister://firm/{id}', 'id', '')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('steps along indexes and never scans or sorts, so that it is quick on any number of rows', async () => {
    const register = registerWith(companies)
    mkdirSync(join(register.store.root, 'data'), { recursive: true })
    const pool = createInProcessPool()
    const asked: RowsRequest[] = []
    const source = await open(register, {
      pool: {
        ...pool,
        rows: (request, signal) => {
          asked.push(request)
          return pool.rows(request, signal)
        },
      },
    })
    await complete(source, company, 'company_number', 'K11')
    await complete(source, officer, 'company_id', 'K11')
    await complete(source, officer, 'ordinal', '', { company_id: 'K1101R_HRB1' })
    await complete(source, officer, 'ordinal', '1', { company_id: 'K1101R_HRB1' })
    expect(asked.length).toBeGreaterThan(3)
    for (const { database, sql, parameters } of asked) {
      const file = new Database(database, { readonly: true })
      const plan = file.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters) as { detail: string }[]
      file.close()
      const details = plan.map(({ detail }) => detail).filter((detail) => !/^SCAN step/.test(detail))
      expect(details.join('\n')).toMatch(/SEARCH .* USING COVERING INDEX/)
      expect(details.join('\n')).not.toMatch(/SCAN (company|officer)|TEMP B-TREE/)
    }
  })

  it('of changes are the tables and the three kinds', async () => {
    const register = registerWith([])
    const { current } = await open(register)
    const complete = (argument: string, value: string) =>
      current.complete('offeneregister://changes/{version}/{table}/{op}', argument, value, {})
    expect((await complete('table', 'OFF')).values).toEqual(['officer'])
    expect((await complete('op', '')).values).toEqual(['added', 'removed', 'changed'])
    expect((await complete('version', '')).values).toEqual([register.current])
  })
})
