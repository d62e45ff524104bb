/** Real files of rows that no pipeline of ours reads, against what their README lists. */
import { describe, expect, it } from 'vitest'
import type { ColumnType, FormatDefinition, PipelineDefinition, Row } from '../../src/pipeline/types.ts'
import { hasSharedData } from './shared-data.ts'
import { imported, listOf } from './without-pipeline.ts'

const columnOf = (name: string): string => name.replace(/\W/g, '_')

/** A table of rows as the file has them: no key, so that none is lost. */
const asItIs = (columns: readonly string[], format: FormatDefinition): PipelineDefinition =>
  listOf({
    format,
    tables: {
      row: {
        description: 'A row of the file',
        columns: Object.fromEntries(columns.map((name): [string, ColumnType] => [columnOf(name), 'TEXT'])),
        key: [],
      },
    },
    map: (record, { emit }) =>
      // The csv reader gives objects of texts.
      emit('row', Object.fromEntries(Object.entries(record as Row).map(([name, value]) => [columnOf(name), value]))),
  })

const dplColumns = (
  'Name Street_Address City State Country Postal_Code Effective_Date Expiration_Date Standard_Order Last_Update ' +
  'Action FR_Citation'
).split(' ')

const conlistColumns = [
  ...['Name 6', 'Name 1', 'Name 2', 'Name 3', 'Name 4', 'Name 5', 'Title', 'DOB', 'Town of Birth', 'Country of Birth'],
  ...['Nationality', 'Passport Details', 'NI Number', 'Position', 'Address 1', 'Address 2', 'Address 3', 'Address 4'],
  ...['Address 5', 'Address 6', 'Post/Zip Code', 'Country', 'Other Information', 'Group Type', 'Alias Type', 'Regime'],
  ...['Listed On', 'Last Updated', 'Group ID'],
]

const fsfColumns = (
  'fileGenerationDate Entity_LogicalId Entity_EU_ReferenceNumber Entity_UnitedNationId Entity_DesignationDate ' +
  'Entity_DesignationDetails Entity_Remark Entity_SubjectType Entity_SubjectType_ClassificationCode ' +
  'Entity_Regulation_Type Entity_Regulation_OrganisationType Entity_Regulation_PublicationDate ' +
  'Entity_Regulation_EntryIntoForceDate Entity_Regulation_NumberTitle Entity_Regulation_Programme ' +
  'Entity_Regulation_PublicationUrl NameAlias_LastName NameAlias_FirstName NameAlias_MiddleName NameAlias_WholeName ' +
  'NameAlias_NameLanguage'
).split(' ')

describe.skipIf(!hasSharedData)('real lists as CSV, without a pipeline', () => {
  it('the US list of denied persons keeps both rows of those that are there twice', async () => {
    const format = { type: 'csv', delimiter: '\t', requires: dplColumns } as const
    const { result, rows } = await imported('us-bis/dpl.txt', asItIs(dplColumns, format))
    expect(result).toMatchObject({ outcome: 'published', rejected: 0, rows: { row: 581 } })
    const distinct = `SELECT DISTINCT ${dplColumns.join(', ')} FROM row`
    expect(
      rows(
        `SELECT (SELECT count(*) FROM (${distinct})), count(DISTINCT Name), count(*) - count(Expiration_Date) FROM row`,
      ),
    ).toEqual([[579, 460, 53]])
    const twice = `SELECT Name FROM row GROUP BY ${dplColumns.join(', ')} HAVING count(*) > 1 ORDER BY 1`
    expect(rows(twice).flat()).toEqual(['DAQING ZHOU', 'NEI-CHIEN CHU'])
    expect(rows('SELECT Country, count(*) FROM row GROUP BY 1 ORDER BY 2 DESC LIMIT 4')).toEqual([
      [null, 202],
      ['US', 162],
      ['AE', 21],
      ['GB', 18],
    ])
    const spot = 'SELECT Name, City, State, Effective_Date FROM row ORDER BY rowid'
    expect(rows(`${spot} LIMIT 1`)).toEqual([[' I. ASH', 'SEAGOVILLE', 'TX', '06/19/2003']])
    expect(rows(`${spot} DESC LIMIT 1`)).toEqual([['ZIMO SHENG', 'JIANGSU', null, '03/16/2020']])
  })

  it('the old UK list has its rows, groups and letters', async () => {
    const format = { type: 'csv', preambleLines: 1, encoding: 'windows-1252', requires: conlistColumns } as const
    const { result, rows } = await imported('uk/ofsi-conlist-2018-04-13.csv.gz', asItIs(conlistColumns, format))
    expect(result).toMatchObject({ outcome: 'published', rejected: 0, rows: { row: 9487 } })
    expect(rows(`SELECT Group_Type, count(*), count(DISTINCT Group_ID) FROM row GROUP BY 1 ORDER BY 1`)).toEqual([
      ['Entity', 2630, 680],
      ['Individual', 6857, 1426],
    ])
    expect(rows(`SELECT Alias_Type, count(*) FROM row GROUP BY 1 ORDER BY 1`)).toEqual([
      ['AKA', 6516],
      ['FKA', 19],
      ['Prime Alias', 2952],
    ])
    expect(
      rows(`SELECT count(DISTINCT Group_ID), count(DISTINCT Regime), sum(Name_6 GLOB ' *' OR Name_6 GLOB '* '),
        sum(Nationality GLOB '*1)*') FROM row`),
    ).toEqual([[2106, 26, 309, 143]])
    const letters = new Map<string, number>()
    for (const letter of JSON.stringify(rows('SELECT * FROM row')).matchAll(/[^\p{ASCII}]/gu))
      letters.set(letter[0], (letters.get(letter[0]) ?? 0) + 1)
    expect(Object.fromEntries(letters)).toEqual({
      ...{ '‘': 356, '’': 1215, '“': 74, '”': 74, '–': 115 },
      ...{ '´': 22, É: 1, é: 27 },
    })
    const spot = 'SELECT trim(Name_6), Name_1, Name_2, Group_ID FROM row ORDER BY rowid'
    expect(rows(`${spot} LIMIT 1`)).toEqual([['AL-QAHTANI', 'Sheikh', 'Farooq', '13349']])
    expect(rows(`${spot} DESC LIMIT 1`)).toEqual([['ZYMA', 'Petro', 'Anatoliyovych', '12927']])
    expect(rows(`SELECT DISTINCT Other_Information FROM row WHERE Group_ID = '13458'`)).toEqual([
      [expect.stringContaining('in the ‘PK5’ (3rd district')],
    ])
  })

  it('the EU list as CSV has one entity of two names', async () => {
    const format = { type: 'csv', delimiter: ';', requires: fsfColumns } as const
    const { result, rows } = await imported('eu/fsf-2026-08-24-first21cols.csv', asItIs(fsfColumns, format))
    expect(result).toMatchObject({ outcome: 'published', rejected: 0, rows: { row: 2 } })
    expect(
      rows(`SELECT fileGenerationDate, Entity_LogicalId, Entity_Regulation_PublicationDate, NameAlias_WholeName
        FROM row ORDER BY rowid`),
    ).toEqual([
      ['05/08/2026', '13', '2003-07-08', 'Saddam Hussein Al-Tikriti'],
      ['05/08/2026', '13', '2003-07-08', 'Abu Ali'],
    ])
  })
})
