import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isoDate, partsOf, reportDate, unescaped } from '../../pipelines/uksl/text.ts'
import { describeDataset } from './dataset-contract.ts'
import { sampleFolderOf } from './dataset-stage.ts'

await describeDataset(
  {
    id: 'uksl',
    versions: ['2026-10-01', '2026-11-01'],
    table: 'designation',
    rows: [
      { designation: 6, name: 12, address: 4, birth: 4, identifier: 4, detail: 18 },
      { designation: 6, name: 13, address: 4, birth: 4, identifier: 4, detail: 18 },
    ],
    queries: {
      searchNames: { query: 'fiktivov probus' },
      getDesignation: { uniqueId: 'ZZZ9001' },
      namesOfDesignation: { uniqueId: 'ZZZ9001' },
      designationsOfRegime: { regime: 'counter-sample' },
      recentlyDesignated: {},
      findIdentifier: { number: '0000000' },
    },
    whole: 'ZZZ9001',
    sanctions: true,
  },
  (stage) => {
    it('merges the rows of a designation', () => {
      const count = (table: string): readonly unknown[] =>
        stage.column(`SELECT count(*) FROM ${table} WHERE unique_id = 'ZZZ9001'`)
      expect(['name', 'address', 'birth', 'identifier'].map(count)).toEqual([[5], [2], [2], [2]])
    })

    it('keeps weak aliases apart, and puts the primary name first whatever its spelling of Primary Name', () => {
      expect(stage.column(`SELECT name FROM name WHERE strength = 'weak'`)).toEqual(['The Sampler'])
      expect(stage.column(`SELECT name FROM entity WHERE entity_id = 'ZZZ9002'`)).toEqual(['Attrapa TRADEROVA'])
    })

    it('keeps what a later row says otherwise of the whole', () => {
      expect(stage.column(`SELECT other_information FROM designation WHERE unique_id = 'ZZZ9007'`)).toEqual([
        'Row one says this.',
      ])
      expect(stage.row(`SELECT field, value FROM detail WHERE unique_id = 'ZZZ9007'`)).toEqual({
        field: 'Other Information',
        value: 'Row two says that.',
      })
    })

    it('does not find a name that only stands in the reasons', () => {
      const sql = `SELECT unique_id FROM name JOIN name_fts ON name.id = name_fts.rowid WHERE name_fts MATCH 'traderova'`
      expect(stage.column(sql)).toEqual(['ZZZ9002'])
    })

    it('is as of its report date', () => {
      expect(stage.column(`SELECT value FROM meta WHERE key = 'publisherDate'`)).toEqual(['2026-11-01'])
    })

    it('reads the same where the rows of all designations are mixed', async () => {
      const csv = readFileSync(join(sampleFolderOf('uksl', '2026-11-01'), 'UK-Sanctions-List.csv'), 'utf8')
      // Each ends a row: no text of the sample but the reasons has a line break.
      const [report, header, ...rows] = csv.trimEnd().split(/\n(?=\d\d\/\d\d\/\d{4},|Last Updated)/)
      const path = join(stage.root, 'mixed.csv')
      const idOf = (row: string): string => row.split(',')[1] ?? ''
      const place = (index: number): number =>
        rows.slice(0, index).filter((row) => idOf(row) === idOf(rows[index] ?? '')).length
      const mixed = rows
        .map((row, index) => ({ row, place: place(index) }))
        .sort((left, right) => left.place - right.place)
      writeFileSync(path, [report, header, ...mixed.map(({ row }) => row)].join('\n'))
      await stage.ingest(path)
      expect(rows).toHaveLength(14)
      expect(await stage.diff()).toEqual([])
    })

    it('keeps what a row says otherwise of a name or address that is there, and every value of a new column', async () => {
      const csv = readFileSync(join(sampleFolderOf('uksl', '2026-11-01'), 'UK-Sanctions-List.csv'), 'utf8')
      const [report = '', header = '', ...lines] = csv.trimEnd().split(/\n(?=\d\d\/\d\d\/\d{4},|Last Updated)/)
      const columns = header.split(',')
      const row = (cells: Readonly<Record<string, string>>): string =>
        [...columns, 'New'].map((column) => `"${cells[column] ?? ''}"`).join(',')
      const own = {
        'Unique ID': 'NEW1',
        'Regime Name': 'A regime',
        'Designation Type': 'Individual',
        'Name 6': 'STEADY',
        'Name type': 'Alias',
      }
      const text = [
        report,
        `${header},New`,
        ...lines.map((line) => `${line},`),
        row({ ...own, Title: 'Dr', 'Address Line 1': 'A, B', 'Address Line 2': 'C', New: 'V1' }),
        row({ ...own, Title: 'Dr', 'Address Line 1': 'A', 'Address Line 2': 'B, C', New: 'V2' }),
        row({ ...own, Title: 'Mr', 'Alias strength': 'Low quality', New: 'V3' }),
      ].join('\n')
      const path = join(stage.root, 'further.csv')
      writeFileSync(path, text)
      expect(await stage.ingest(path)).toMatchObject({ outcome: 'published', rejected: 0 })
      const of = (columnsOf: string, table: string, by: string): unknown[] => {
        const database = stage.open()
        const sql = `SELECT ${columnsOf} FROM ${table} WHERE unique_id = 'NEW1' ORDER BY ${by}`
        const found = database.prepare(sql).raw().all()
        database.close()
        return found
      }
      expect(of('ordinal, title, strength', 'name', 'ordinal')).toEqual([
        [1, 'Dr', 'strong'],
        [2, 'Mr', 'weak'],
      ])
      expect(of('ordinal, line_1', 'address', 'ordinal')).toEqual([
        [1, 'A, B'],
        [2, 'A'],
      ])
      expect(of('attributes', 'designation', '1')).toEqual([['{"New":"V1"}']])
      expect(of('value', 'detail', 'value')).toEqual([['V2'], ['V3']])
    })
  },
)

it.each([
  ['31/07/2024', '2024-07-31'],
  ['dd/mm/1945', '1945'],
  ['00/00/1975', '1975'],
  ['dd/03/1945', '1945-03'],
  ['00/03/1945', '1945-03'],
  ['circa 1945', 'circa 1945'],
  [null, null],
])('the date %j of the list is %j', (text, date) => {
  expect(isoDate(text)).toBe(date)
})

it.each([
  ['Report Date: 08-Oct-2026', '2026-10-08'],
  ['\ufeffReport Date: 8-Sept-2026,,,', '2026-09-08'],
  ['"Report Date: 08-Oct-2026"', '2026-10-08'],
  ['Last Updated,Unique ID', undefined],
])('the line %j before the header says %j', (line, date) => {
  expect(reportDate(line)).toBe(date)
})

it.each([
  ['A &amp; B &quot;C&quot; &#39;D&#x27;', `A & B "C" 'D'`],
  ['AT&T &unknown; &#0;', 'AT&T &unknown; &#0;'],
])('the text %j is %j', (text, plain) => {
  expect(unescaped(text)).toBe(plain)
})

it('a cell with several parts has each once', () => {
  expect(partsOf('Asset freeze| Travel Ban |Asset freeze|')).toEqual(['Asset freeze', 'Travel Ban'])
  expect(partsOf(null)).toEqual([])
})
