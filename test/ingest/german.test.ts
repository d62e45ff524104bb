import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addSpellings, buildFullText } from '../../src/ingest/full-text.ts'
import { germanSpellings } from '../../src/ingest/german.ts'

let database: Database.Database

beforeEach(() => {
  database = new Database(':memory:')
  addSpellings(database)
  database.exec('CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT)')
})
afterEach(() => database.close())

const index = (...names: (string | null)[]): void => {
  const insert = database.prepare('INSERT INTO person(name) VALUES (?)')
  for (const name of names) insert.run(name)
  buildFullText(database, { name: 'person_fts', table: 'person', columns: ['name'], german: true })
}

const found = (match: string): unknown[] =>
  database.prepare('SELECT name FROM person_fts WHERE person_fts MATCH ? ORDER BY rowid').pluck().all(match)

describe('a full-text index of German spellings finds by a raw MATCH', () => {
  it.each([
    ['Müller', ['Müller', 'Mueller', 'Muller', 'müller', 'MÜLLER', 'mueller']],
    ['Straße', ['Straße', 'Strasse', 'strasse', 'STRASSE', 'STRAẞE']],
    ['Weiß & Söhne Größe', ['Weiss', 'Weiß', 'Soehne', 'Sohne', 'Groesse', 'Grosse', 'Größe']],
    ['ÄÖÜ', ['aeoeue', 'aou', 'äöü']],
    ['Łódź', ['Łódź', 'Lodz', 'lodz', 'łodz']],
    ['Øst', ['Øst', 'Ost', 'Oest', 'øst']],
    ['Đuro', ['Đuro', 'Duro', 'đuro']],
    ['Ærø', ['Ærø', 'Aero', 'Aeroe']],
    ['Håkon', ['Håkon', 'Hakon', 'Haakon']],
    ['Þór', ['Þór', 'Thor']],
    ['Işık', ['Işık', 'Isik']],
    ['Crème brûlée', ['Creme', 'brulee', 'brûlée']],
    ['Řehoř', ['Rehor', 'řehoř']],
    ['plain ASCII', ['plain', 'ascii']],
  ])('%s by each of %j', (name, queries) => {
    index(name, 'somebody else')
    for (const query of queries) expect([query, found(query)]).toEqual([query, [name]])
  })

  it('text that comes decomposed, and by a query that does', () => {
    const decomposed = 'Mu\u0308ller'
    index(decomposed)
    for (const query of ['Müller', 'Mueller', 'Muller', decomposed])
      expect([query, found(query)]).toEqual([query, [decomposed]])
  })

  it('phrases in each spelling', () => {
    index('Bäckerei Jürgen Größ')
    for (const phrase of ['"Bäckerei Jürgen Größ"', '"Baeckerei Juergen"', '"Backerei Jurgen"', '"Juergen Groess"']) {
      expect([phrase, found(phrase)]).toEqual([phrase, ['Bäckerei Jürgen Größ']])
    }
  })

  it('prefixes in each spelling', () => {
    index('Müllerschön')
    for (const prefix of ['Mü*', 'Mue*', 'Mu*', 'Muellersch*', 'Mullersch*', 'Muellerschoe*']) {
      expect([prefix, found(prefix)]).toEqual([prefix, ['Müllerschön']])
    }
  })

  it('not what is only alike', () => {
    index('Müller', 'Möller', 'Miller')
    expect(found('Mueller')).toEqual(['Müller'])
    expect(found('Moller')).toEqual(['Möller'])
  })

  it('NULL nowhere, without failing', () => {
    index('Müller', null)
    expect(found('Muller')).toEqual(['Müller'])
  })
})

describe('the index of German spellings', () => {
  it('leaves columns as they were', () => {
    index('Müller', 'Mu\u0308ller', 'Straße')
    expect(database.prepare('SELECT name FROM person').pluck().all()).toEqual(['Müller', 'Mu\u0308ller', 'Straße'])
    expect(found('strasse')).toEqual(['Straße'])
  })

  it('passes SQLite’s integrity check', () => {
    index('Müller', 'Straße', 'Łódź')
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
    database.exec("INSERT INTO person_fts(person_fts) VALUES ('integrity-check')")
  })
})

describe('the spellings of a text', () => {
  it('are itself alone where it has none but plain letters', () => {
    expect(germanSpellings('Mueller GmbH & Co. KG')).toBe('Mueller GmbH & Co. KG')
    expect(germanSpellings('')).toBe('')
  })

  it('are each there once', () => {
    expect(germanSpellings('Müller')).toBe('Müller Mueller')
    expect(germanSpellings('Straße')).toBe('Straße Strasse')
    expect(germanSpellings('Weiß Øst')).toBe('Weiß Øst Weiss oest Weiss ost')
    expect(germanSpellings('GROẞ Ød')).toBe('GROẞ Ød GROss oed GROss od')
    expect(germanSpellings('東京')).toBe('東京')
    expect(germanSpellings('東京 Ü')).toBe('東京 Ü 東京 ue')
  })
})
