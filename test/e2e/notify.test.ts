import Database from 'better-sqlite3'
import { afterEach, expect, it } from 'vitest'
import { expectExactlyTold } from './notified.ts'
import { firstSample, openStage, type Stage, secondSample } from './stage.ts'

let stage: Stage | undefined
afterEach(() => stage?.close())

/** data/offeneregister/README.md: seven companies that change, whichever part of them, and one that goes. */
const readDifferently = [
  'D2601V_HRB900148',
  'F1103R_HRB900222B',
  'K1101R_HRB150148',
  'M1201_HRB900310',
  'R3306_HRB900600',
  'T2304V_HRB900201',
  'U1104_HRB900410',
  'X1721R_HRB901162RZ',
]

it('tells every kind of host of exactly the companies that read differently: on publish, rollback and release', async () => {
  stage = await openStage()
  expect((await stage.ingest(firstSample)).outcome).toBe('published')
  const database = new Database(stage.pointer, { readonly: true })
  const companies = database.prepare('SELECT company_number FROM company').pluck().all().map(String)
  database.close()
  await expectExactlyTold(stage, companies, secondSample, readDifferently)
}, 120_000)
