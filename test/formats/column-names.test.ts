import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { columnNames, distinctNames } from '../../src/formats/column-names.ts'

const namesOf = (...header: readonly string[]): readonly string[] => columnNames(header, 'a.csv').names

describe('names of columns', () => {
  it('stay as they are where nothing is wrong with them', () => {
    expect(columnNames(['company_number', 'Größe', 'a1'], 'a.csv')).toEqual({
      names: ['company_number', 'Größe', 'a1'],
      renamed: [],
    })
  })

  it.each([
    [' PreviousName_1.CONDATE', 'PreviousName_1_CONDATE'],
    ['Entity.LegalName (main)', 'Entity_LegalName_main'],
    ['a"; DROP TABLE x; --', 'a_DROP_TABLE_x'],
    ['line\nbreak\ttab', 'line_break_tab'],
    ['2024', 'column_2024'],
    ['', 'column_1'],
    ['🚆', 'column_1'],
    ['__proto__', 'proto'],
    ['order', 'order_'],
    ['ROWID', 'ROWID_'],
    ['x'.repeat(200), 'x'.repeat(63)],
  ])('are made of letters, digits and _: %j', (from, to) => {
    expect(columnNames([from], 'a.csv')).toEqual({ names: [to], renamed: [{ index: 0, from, to }] })
  })

  it('are distinct also where capitals are not', () => {
    expect(namesOf('id', 'name', 'name', 'value', '', 'NAME', 'value')).toEqual([
      'id',
      'name',
      'name_2',
      'value',
      'column_5',
      'NAME_3',
      'value_2',
    ])
  })

  it('do not take a name that the header gives to another column', () => {
    expect(namesOf('a', 'a', 'a_2')).toEqual(['a', 'a_3', 'a_2'])
    expect(namesOf('', 'column_1')).toEqual(['column_1', 'column_1_2'])
  })

  it('work in SQL without quotes, whatever the header', () => {
    const names = namesOf('select', 'Order', 'rowid', 'oid', '1st', 'a-b', 'a b', "it's", '[x]', 'größe', '?', '')
    const database = new Database(':memory:')
    try {
      database.exec(`CREATE TABLE t (${names.join(', ')})`)
      expect(
        database
          .prepare(`SELECT ${names.join(', ')} FROM t`)
          .columns()
          .map(({ name }) => name),
      ).toEqual(names)
    } finally {
      database.close()
    }
  })

  it('are refused where a table cannot have so many', () => {
    const header = Array.from({ length: 2001 }, (_, index) => `c${index}`)
    expect(columnNames(header.slice(1), 'a.csv').names).toHaveLength(2000)
    expect(() => columnNames(header, 'a.csv')).toThrow('a.csv: 2001 columns, but a table has at most 2000')
  })

  it('of records are only made distinct', () => {
    expect(distinctNames([' a.b', 'order', 'order', '__proto__']).names).toEqual([
      ' a.b',
      'order',
      'order_2',
      '__proto__',
    ])
  })
})
