/** Each real list of OFAC's by itself: the facts of its files that ORACLE.json has, and those that its README adds. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type DatasetStage, openDatasetStage } from '../data/dataset-stage.ts'
import { oracleOf } from './oracle.ts'
import { hasSharedData, sharedFile } from './shared-data.ts'

const tally = z.record(z.string(), z.number())
const rows = z.looseObject({ data_rows: z.number(), distinct_ent_num: z.number() })
const entriesSchema = rows.extend({
  ent_num_min: z.number(),
  ent_num_max: z.number(),
  types: tally,
  distinct_program: z.number(),
  multi_program: z.number(),
  remarks_null: z.number(),
  remarks_ge_1000: z.number(),
  names_with_comma: z.number(),
})
const addressesSchema = rows.extend({ distinct_add_num: z.number(), countries: z.number(), rows_all_null: z.number() })
const alternatesSchema = rows.extend({ distinct_alt_num: z.number(), alt_type: tally })
const commentsSchema = rows.extend({ joined_lengths: z.record(z.string(), z.tuple([z.number(), z.number()])) })

/** An entry that no list has, for each file that a set lacks: a delivery has all eight. */
const nobody = {
  entry: '1,"NOBODY",-0- ,"CUBA",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- \r\n',
  address: '1,1,-0- ,"Havana","Cuba",-0- \r\n',
  alternate: '1,1,"aka","NO-ONE",-0- \r\n',
  comment: '1,"."\r\n',
}
const standIns: Readonly<Record<string, string>> = {
  'sdn.csv': nobody.entry,
  'add.csv': nobody.address,
  'alt.csv': nobody.alternate,
  'sdn_comments.csv': nobody.comment,
  'cons_prim.csv': nobody.entry,
  'cons_add.csv': nobody.address,
  'cons_alt.csv': nobody.alternate,
  'cons_comments.csv': nobody.comment,
}

interface RealSet {
  readonly list: 'SDN' | 'consolidated'
  readonly entries: string
  readonly addresses: string
  readonly alternates?: string
  readonly comments?: string
  /** Rows of addresses in the countries that have most. */
  readonly countries: readonly (readonly [string, number])[]
  readonly spots: Readonly<Record<number, readonly (string | null)[]>>
  /** `add_num`, city and country of addresses. */
  readonly addressSpots: Readonly<Record<number, readonly (string | null)[]>>
  readonly alternateSpots: Readonly<Record<number, readonly string[]>>
}

const sets: readonly RealSet[] = [
  {
    list: 'SDN',
    entries: 'ofac/recent-2024-06/sdn.csv.gz',
    addresses: 'ofac/recent-2024-06/add.csv.gz',
    countries: [
      ['Russia', 4735],
      ['Mexico', 1846],
      ['Iran', 1737],
      ['Syria', 819],
    ],
    spots: {
      36: ['AEROCARIBBEAN AIRLINES', 'entity', 'CUBA', null, null, null],
      49626: ['SALYGA, Vyacheslav', 'individual', 'SDGT', null, null, null],
      4238: ['MAR AZUL', 'vessel', 'CUBA', 'CL2192', 'Tug', 'Cuba'],
    },
    addressSpots: { 25: [null, 'Havana', 'Cuba'], 74942: [null, null, 'Ukraine'] },
    alternateSpots: {},
  },
  {
    list: 'SDN',
    entries: 'ofac/set-with-alt/sdn.csv',
    addresses: 'ofac/set-with-alt/add.csv',
    alternates: 'ofac/set-with-alt/alt.csv',
    comments: 'ofac/set-with-alt/sdn_comments.csv',
    countries: [
      ['Mexico', 1746],
      ['Colombia', 1666],
      ['Iran', 1347],
      ['Syria', 745],
    ],
    spots: {
      36: ['AEROCARIBBEAN AIRLINES', 'entity', 'CUBA', null, null, null],
      32391: ['DJIBO, Ousmane Illiassou', 'individual', 'SDGT', null, null, null],
      4234: ['HERMANN', 'vessel', 'CUBA', 'CL2685', 'General Cargo', 'Cuba'],
    },
    addressSpots: { 25: [null, 'Havana', 'Cuba'], 48784: [null, 'Tillaberi Region', 'Niger'] },
    alternateSpots: { 12: ['aka', 'AERO-CARIBBEAN'], 50851: ['aka', 'DJIBO, Halid Illiassou'] },
  },
  {
    list: 'consolidated',
    entries: 'ofac/consolidated/cons_prim.csv',
    addresses: 'ofac/consolidated/cons_add.csv',
    alternates: 'ofac/consolidated/cons_alt.csv',
    comments: 'ofac/consolidated/cons_comments.csv',
    countries: [
      ['Russia', 349],
      ['China', 81],
      ['Palestinian', 24],
      ['Cyprus', 9],
    ],
    spots: {
      9639: ['HANIYA, Ismail Abdul Salah', 'individual', 'NS-PLC', null, null, null],
      50476: ['MARTELLY, Michel Joseph', 'individual', 'ILLICIT-DRUGS-EO14059', null, null, null],
    },
    addressSpots: { 12812: [null, null, null], 76539: [null, null, 'Dominican Republic'] },
    alternateSpots: { 9150: ['aka', 'HANIYA, Ismail'], 78896: ['aka', 'MARTELLY, Michael'] },
  },
]

describe.skipIf(!hasSharedData).each(sets)('ofacsdn, $entries and what belongs to it', (set) => {
  const { list, entries, addresses, alternates, comments } = set
  let stage: DatasetStage
  beforeAll(async () => {
    stage = await openDatasetStage('ofacsdn')
    const folder = join(stage.root, 'set')
    mkdirSync(folder)
    const real = [entries, addresses, alternates, comments].filter((path) => path !== undefined)
    for (const path of real) symlinkSync(sharedFile(...path.split('/')), join(folder, basename(path)))
    const names = real.map((path) => basename(path, '.gz'))
    for (const [name, text] of Object.entries(standIns))
      if (!names.includes(name)) writeFileSync(join(folder, name), text)
    expect(await stage.ingest(folder)).toMatchObject({ outcome: 'published', rejected: 0 })
  })
  afterAll(() => stage.close())

  /** Without the entry that stands in. */
  const ofTheList = `ent_num IN (SELECT ent_num FROM listing WHERE list = '${list}' AND ent_num > 1)`
  const tallied = (column: string, table: string): unknown =>
    JSON.parse(
      String(
        stage.column(
          `SELECT json_group_object(${column}, n) FROM (SELECT ${column}, count(*) AS n FROM ${table} WHERE ${ofTheList} GROUP BY 1)`,
        )[0],
      ),
    )

  it('has its entries', () => {
    const facts = oracleOf(entries, entriesSchema)
    expect(
      stage.row(`SELECT count(*) AS data_rows, count(DISTINCT ent_num) AS distinct_ent_num, min(ent_num) AS ent_num_min,
        max(ent_num) AS ent_num_max, sum(remarks IS NULL) AS remarks_null, sum(length(remarks) >= 1000) AS remarks_ge_1000,
        sum(sdn_name LIKE '%,%') AS names_with_comma FROM sdn WHERE ${ofTheList}`),
    ).toEqual({
      data_rows: facts.data_rows,
      distinct_ent_num: facts.distinct_ent_num,
      ent_num_min: facts.ent_num_min,
      ent_num_max: facts.ent_num_max,
      remarks_null: facts.remarks_null,
      remarks_ge_1000: facts.remarks_ge_1000,
      names_with_comma: facts.names_with_comma,
    })
    expect(tallied('sdn_type', 'sdn')).toEqual(facts.types)
    expect(
      stage.row(
        `SELECT count(DISTINCT program) AS one, sum(program LIKE '%] [%') AS several FROM listing WHERE list = ?`,
        list,
      ),
    ).toEqual({ one: facts.distinct_program, several: facts.multi_program })
    const spot = 'SELECT sdn_name, sdn_type, program, call_sign, vess_type, vess_flag FROM sdn WHERE ent_num = ?'
    for (const [number, values] of Object.entries(set.spots))
      expect(Object.values(z.looseObject({}).parse(stage.row(spot, number))), number).toEqual(values)
  })

  it('has their addresses', () => {
    const facts = oracleOf(addresses, addressesSchema)
    expect(
      stage.row(`SELECT count(*) AS data_rows, count(DISTINCT ent_num) AS distinct_ent_num,
        count(DISTINCT add_num) AS distinct_add_num, count(DISTINCT country) AS countries,
        sum(coalesce(address, city_state_province, country) IS NULL) AS rows_all_null FROM address WHERE ${ofTheList}`),
    ).toEqual({
      data_rows: facts.data_rows,
      distinct_ent_num: facts.distinct_ent_num,
      distinct_add_num: facts.distinct_add_num,
      countries: facts.countries,
      rows_all_null: facts.rows_all_null,
    })
    const inCountry = `SELECT count(*) FROM address WHERE ${ofTheList} AND country = ?`
    for (const [country, count] of set.countries) expect(stage.column(inCountry, country), country).toEqual([count])
    const spot = 'SELECT address, city_state_province, country FROM address WHERE add_num = ?'
    for (const [number, values] of Object.entries(set.addressSpots))
      expect(Object.values(z.looseObject({}).parse(stage.row(spot, number))), number).toEqual(values)
  })

  it.skipIf(alternates === undefined)('has their other names', () => {
    const facts = oracleOf(alternates ?? '', alternatesSchema)
    expect(
      stage.row(`SELECT count(*) AS data_rows, count(DISTINCT ent_num) AS distinct_ent_num,
        count(DISTINCT alt_num) AS distinct_alt_num FROM alt_name WHERE ${ofTheList}`),
    ).toEqual({
      data_rows: facts.data_rows,
      distinct_ent_num: facts.distinct_ent_num,
      distinct_alt_num: facts.distinct_alt_num,
    })
    expect(tallied('alt_type', 'alt_name')).toEqual(facts.alt_type)
    const spot = 'SELECT alt_type, alt_name FROM alt_name WHERE alt_num = ?'
    for (const [number, values] of Object.entries(set.alternateSpots))
      expect(Object.values(z.looseObject({}).parse(stage.row(spot, number))), number).toEqual(values)
  })

  it.skipIf(comments === undefined)(
    'has the remarks whole that go on in another file, and no others of that length',
    () => {
      const facts = oracleOf(comments ?? '', commentsSchema)
      const whole = Object.entries(facts.joined_lengths).map(([number, [, length]]) => [Number(number), length])
      expect(whole).toHaveLength(facts.data_rows)
      const long = `SELECT json_array(ent_num, length(remarks)) FROM sdn WHERE ${ofTheList} AND length(remarks) >= 1000 ORDER BY ent_num`
      expect(stage.column(long).map((text) => JSON.parse(String(text)))).toEqual(whole)
    },
  )
})
