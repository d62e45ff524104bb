/** The real sample of 565 companies around Gau-Algesheim, against the facts its README lists. */
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectExactlyTold } from '../e2e/notified.ts'
import { openStage, type Stage } from '../e2e/stage.ts'
import { hasSharedData, sharedFile } from './shared-data.ts'

const first = sharedFile('offeneregister', 'gau-algesheim.jsonl.bz2')
const twoStreams = sharedFile('offeneregister', 'gau-algesheim.two-stream.jsonl.bz2')
const second = sharedFile('offeneregister', 'gau-algesheim-v2.jsonl.bz2')

describe.skipIf(!hasSharedData)('offeneregister, real sample', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage()
    expect(await stage.ingest(first)).toMatchObject({
      status: 0,
      outcome: 'published',
      previous: null,
      changes: {},
      rejected: 0,
      rows: { company: 565, officer: 1668, previous_name: 236, registrations: 57 },
    })
  })
  afterAll(() => stage.close())

  const open = (): Database.Database => new Database(stage.pointer, { readonly: true })
  const one = (sql: string): unknown => {
    const database = open()
    try {
      return database.prepare(sql).raw().get()
    } finally {
      database.close()
    }
  }

  it('has the counts and spot values of the data’s README', () => {
    const total = (sql: string): unknown => one(`SELECT count(*) FROM ${sql}`)
    expect(total(`company WHERE current_status = 'currently registered'`)).toEqual([309])
    expect(total(`company WHERE register_art = 'HRB'`)).toEqual([406])
    expect(total('company WHERE registered_address IS NOT NULL')).toEqual([253])
    expect(total('company WHERE former_registrar IS NOT NULL')).toEqual([3])
    expect(total(`officer WHERE type = 'company'`)).toEqual([10])
    expect(total('officer WHERE dismissed = 1')).toEqual([687])
    expect(total('officer WHERE end_date IS NOT NULL')).toEqual([687])
    expect(total('officer WHERE reference_no IS NOT NULL')).toEqual([12])
    expect(one('SELECT max(length(name)) FROM officer')).toEqual([327])
    expect(one('SELECT count(DISTINCT company_id) FROM previous_name')).toEqual([145])
    expect(one(`SELECT name FROM company WHERE company_number = 'T2304V_HRA43436'`)).toEqual(['AdO VV GmbH & Co. KG'])
    expect(total(`company, json_each(flags) WHERE key = 'VÖ'`)).toEqual([565])
    expect(total(`company, json_each(flags) WHERE key IN ('', 'Status information')`)).toEqual([4])
    expect(total('company WHERE attributes IS NOT NULL')).toEqual([0])
    expect(total('_rejected')).toEqual([0])
    expect(one('PRAGMA integrity_check')).toEqual(['ok'])
  })

  it('is unchanged where the same content comes again, also as two bzip2 streams', async () => {
    expect(await stage.ingest(first)).toMatchObject({ status: 0, outcome: 'unchanged' })
    expect(await stage.ingest(twoStreams)).toMatchObject({ status: 0, outcome: 'unchanged' })
    expect(await stage.json('snapshots', 'offeneregister')).toHaveLength(1)
  })

  it('gives exactly the changes that the second version was made with', async () => {
    const other = await openStage()
    try {
      await other.ingest(first)
      expect(await other.ingest(second)).toMatchObject({
        outcome: 'published',
        changes: {
          company: { added: 4, removed: 2, changed: 3 },
          officer: { added: 5, removed: 13, changed: 2 },
          previous_name: { added: 2, removed: 2, changed: 0 },
          registrations: { added: 0, removed: 0, changed: 0 },
        },
      })
      const diff = await other.json('diff', 'offeneregister')
      expect(diff).toContainEqual({
        table: 'company',
        key: ['D2304V_HRB11519'],
        op: 'changed',
        fields: { current_status: ['currently registered', 'removed'] },
      })
      expect(diff).toContainEqual({ table: 'company', key: ['B1204_HRB290027'], op: 'removed' })
    } finally {
      await other.close()
    }
  })

  it('tells hosts that watch all 565 companies of the 7 that read differently, and of no other', async () => {
    const database = open()
    const companies = database.prepare('SELECT company_number FROM company').pluck().all().map(String)
    database.close()
    await expectExactlyTold(stage, companies, second, [
      'B1204_HRB290027',
      'B8535_HRB108984',
      'D2304V_HRB11519',
      'T2304V_HRA2612',
      'T2304V_HRA41865',
      'T2304V_HRB2906',
      'T2304V_HRB46980',
    ])
  }, 120_000)
})
