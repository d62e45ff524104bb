/** Both versions of the real sample of companies: what ORACLE.json says of each, and every change that was made. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type DatasetStage, openDatasetStage, type RowChange } from '../data/dataset-stage.ts'
import { oracleOf } from './oracle.ts'
import { hasSharedData, sharedFile } from './shared-data.ts'

const tally = z.record(z.string(), z.number())
const top = z.array(z.tuple([z.string(), z.number()]))
const firstSchema = z.looseObject({
  status: tally,
  register_art: tally,
  registrar_distinct: z.number(),
  registrar_top: top,
  federal_state: tally,
  office_top: top,
  with_officers: z.number(),
  officer_type: tally,
  position: tally,
  distinct_officer_names: z.number(),
  lastname_with_Doctor: z.number(),
  firstname_geborene: z.number(),
  maidenname: z.number(),
  title: z.number(),
  flag: z.number(),
  subsequent_registrations: z.number(),
  flag_keys: tally,
  retrieved_at: z.tuple([z.string(), z.string()]),
  umlaut_company_names: z.number(),
  umlaut_officer_names: z.number(),
  duplicate_company_names: z.number(),
})

describe.skipIf(!hasSharedData)('offeneregister, both versions of the real sample', () => {
  const file = (name: string): string => `offeneregister/${name}.jsonl.bz2`
  const facts = hasSharedData ? oracleOf(file('gau-algesheim'), firstSchema) : undefined
  let stage: DatasetStage
  beforeAll(async () => {
    stage = await openDatasetStage('offeneregister')
    await stage.ingest(sharedFile(...file('gau-algesheim').split('/')))
  })
  afterAll(() => stage.close())

  const count = (sql: string): unknown => stage.column(`SELECT count(*) FROM ${sql}`)[0]
  const pairs = (column: string, table: string, most = -1): (readonly [string, number])[] =>
    stage
      .column(
        `SELECT json_array(${column}, n) FROM (SELECT ${column}, count(*) AS n FROM ${table} GROUP BY 1 ORDER BY 2 DESC LIMIT ${most})`,
      )
      .map((text) => z.tuple([z.string(), z.number()]).parse(JSON.parse(String(text))))
  const tallied = (column: string, table: string): unknown => Object.fromEntries(pairs(column, table))

  it('the first has its companies', () => {
    expect(tallied('current_status', 'company')).toEqual(facts?.status)
    expect(tallied('register_art', 'company')).toEqual(facts?.register_art)
    expect(tallied('federal_state', 'company')).toEqual(facts?.federal_state)
    expect(stage.column('SELECT count(DISTINCT registrar) FROM company')).toEqual([facts?.registrar_distinct])
    expect(pairs('registrar', 'company', 3)).toEqual(facts?.registrar_top)
    expect(pairs('registered_office', 'company', 3)).toEqual(facts?.office_top)
    expect(tallied('key', 'company, json_each(flags)')).toEqual(facts?.flag_keys)
    expect(count('registrations')).toBe(facts?.subsequent_registrations)
    expect([count('company'), stage.column('SELECT count(DISTINCT name) FROM company')[0]]).toEqual([
      565,
      565 - (facts?.duplicate_company_names ?? 0),
    ])
    expect(stage.row('SELECT min(retrieved_at) AS min, max(retrieved_at) AS max FROM company')).toEqual({
      min: facts?.retrieved_at[0],
      max: facts?.retrieved_at[1],
    })
    expect(count(`company WHERE name GLOB '*[äöüÄÖÜß]*'`)).toBe(facts?.umlaut_company_names)
    expect(
      count('(SELECT 1 FROM company GROUP BY register_art, register_nummer HAVING count(DISTINCT registrar) > 1)'),
    ).toBe(0)
    const spot = 'SELECT name, registered_address FROM company WHERE company_number = ?'
    expect(stage.row(spot, 'T2304V_HRA41865')).toEqual({
      name: 'Schlaf Schön Traumbetten Nersa Kepabo e.K.',
      registered_address: 'Mainzer Straße 9, 55435 Gau-Algesheim.',
    })
    expect(count(`officer WHERE company_id = 'B1204_HRB290027'`)).toBe(13)
  })

  it('the first has its officers', () => {
    expect(tallied('type', 'officer')).toEqual(facts?.officer_type)
    expect(tallied('position', 'officer')).toEqual(facts?.position)
    expect(stage.column('SELECT count(DISTINCT company_id) FROM officer')).toEqual([facts?.with_officers])
    expect(stage.column('SELECT count(DISTINCT name) FROM officer')).toEqual([facts?.distinct_officer_names])
    expect(count(`officer WHERE lastname LIKE '%Doctor%'`)).toBe(facts?.lastname_with_Doctor)
    expect(count(`officer WHERE firstname LIKE '%geborene%'`)).toBe(facts?.firstname_geborene)
    expect(
      stage.row('SELECT count(maidenname) AS maidenname, count(title) AS title, count(flag) AS flag FROM officer'),
    ).toEqual({
      maidenname: facts?.maidenname,
      title: facts?.title,
      flag: facts?.flag,
    })
    expect(count(`officer WHERE name GLOB '*[äöüÄÖÜß]*'`)).toBe(facts?.umlaut_officer_names)
  })

  describe('of which the second', () => {
    let changes: readonly RowChange[] = []
    beforeAll(async () => {
      expect(await stage.ingest(sharedFile(...file('gau-algesheim-v2').split('/')))).toMatchObject({
        outcome: 'published',
        rejected: 0,
        rows: { company: 567, officer: 1660 },
      })
      changes = await stage.diff()
    })
    const of = (table: string, op: RowChange['op']): readonly RowChange[] =>
      changes.filter((change) => change.table === table && change.op === op)
    const keysOf = (table: string, op: RowChange['op']): unknown[] =>
      of(table, op)
        .map(({ key }) => key[0])
        .sort()

    it('has so many companies of each status', () => {
      expect(tallied('current_status', 'company')).toEqual({ 'currently registered': 312, removed: 255 })
    })

    it('has four companies more, with their officers, and lacks two, with theirs', () => {
      const added = {
        T2304V_HRA90004: ['Nullsummen Beteiligungs GmbH & Co. KG', 1],
        T2304V_HRB90001: ['Testfeld Übersee Handels GmbH', 2],
        T2304V_HRB90002: ['„Änderungsprobe“ UG (haftungsbeschränkt)', 1],
        T2304V_VR90003: ['Förderverein Prüfdaten e.V.', 0],
      }
      expect(keysOf('company', 'added')).toEqual(Object.keys(added))
      for (const [number, [name, officers]] of Object.entries(added)) {
        expect(stage.column('SELECT name FROM company WHERE company_number = ?', number)).toEqual([name])
        expect(stage.column('SELECT count(*) FROM officer WHERE company_id = ?', number)).toEqual([officers])
      }
      expect(keysOf('company', 'removed')).toEqual(['B1204_HRB290027', 'B8535_HRB108984'])
      expect(keysOf('officer', 'removed')).toEqual(Array.from({ length: 13 }, () => 'B1204_HRB290027'))
    })

    it('changes a name, a status and an address, and nothing else of any company', () => {
      expect(of('company', 'changed').map(({ key, fields }) => [key[0], fields])).toEqual([
        ['D2304V_HRB11519', { current_status: ['currently registered', 'removed'] }],
        [
          'T2304V_HRA41865',
          {
            registered_address: ['Mainzer Straße 9, 55435 Gau-Algesheim.', 'Prüfstraße 7 a, 55435 Gau-Algesheim.'],
          },
        ],
        ['T2304V_HRB46980', { name: ['Quemey GmbH', 'Nordlicht Projektbau GmbH'] }],
      ])
      expect(stage.column(`SELECT company_name FROM previous_name WHERE company_id = 'T2304V_HRB46980'`)).toContain(
        'Quemey GmbH',
      )
    })

    it('changes two officers, has one more of those that were there, and touches no one else', () => {
      expect(of('officer', 'changed').map(({ key, fields }) => [key[0], fields])).toEqual([
        ['T2304V_HRA2612', expect.objectContaining({ name: ['Jendu Eldarz', 'Jendu Öhlenschlager-Eldarz'] })],
        [
          'T2304V_HRB2906',
          expect.objectContaining({
            end_date: [null, '2019-02-01'],
            dismissed: [null, 1],
            start_date: [expect.any(String), null],
          }),
        ],
      ])
      expect(keysOf('officer', 'added')).toEqual([
        ...['T2304V_HRA90004', 'T2304V_HRB2906', 'T2304V_HRB90001', 'T2304V_HRB90001', 'T2304V_HRB90002'],
      ])
      const others = new Set(changes.map(({ key }) => String(key[0])))
      expect(others.size).toBe(4 + 2 + 5)
      expect(others).not.toContain('B1204_HRB581170')
    })
  })
})
