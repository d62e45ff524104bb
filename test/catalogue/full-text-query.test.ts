import Database from 'better-sqlite3'
import { afterAll, describe, expect, it } from 'vitest'
import { matchExpression, spellingsOf } from '../../src/catalogue/full-text-query.ts'

const names = [
  'Müller GmbH',
  'Mueller AG',
  'Muller SA',
  'Gräßlich OHG',
  'Graesslich KG',
  'Straße 5',
  'Strasse 6',
  'OR NOT AND',
  'Siemens Testgelände',
]
const database = new Database(':memory:')
database.exec(`CREATE VIRTUAL TABLE f USING fts5(name, tokenize="unicode61 remove_diacritics 2")`)
for (const name of names) database.prepare('INSERT INTO f VALUES (?)').run(name)
afterAll(() => {
  database.close()
})

const found = (text: string): unknown[] =>
  database
    .prepare('SELECT name FROM f WHERE f MATCH ? ORDER BY rowid')
    .pluck()
    .all(matchExpression(text) ?? '""')

describe('a full-text search', () => {
  it.each([
    ['Müller', ['Müller GmbH', 'Mueller AG', 'Muller SA']],
    ['mueller', ['Müller GmbH', 'Mueller AG', 'Muller SA']],
    ['MÜLLER', ['Müller GmbH', 'Mueller AG', 'Muller SA']],
    ['gräßlich', ['Gräßlich OHG', 'Graesslich KG']],
    ['Graesslich', ['Gräßlich OHG', 'Graesslich KG']],
    ['Straße', ['Straße 5', 'Strasse 6']],
    ['strasse', ['Straße 5', 'Strasse 6']],
    ['testgelaende', ['Siemens Testgelände']],
  ])('for %s finds both German spellings', (text, expected) => {
    expect(found(text)).toEqual(expected)
  })

  it('takes the last word for the beginning of one, and the others whole', () => {
    expect(found('siemens test')).toEqual(['Siemens Testgelände'])
    expect(found('sieme testgelände')).toEqual([])
    expect(found('Müll')).toEqual(['Müller GmbH', 'Mueller AG', 'Muller SA'])
    expect(found('Muell')).toEqual(found('Müll'))
  })

  it('wants all words', () => {
    expect(found('müller gmbh')).toEqual(['Müller GmbH'])
  })

  it.each(['OR NOT', 'NOT', '"OR" NOT*', 'OR) NOT (', '-OR ^NOT', "OR' NOT;--", '{OR}: NOT'])(
    'takes %s for words, not for operators',
    (text) => {
      expect(found(text)).toEqual(['OR NOT AND'])
    },
  )

  it.each(['', '  ', '*', '"', '—'])('for %j has nothing to look for', (text) => {
    expect(matchExpression(text)).toBeUndefined()
  })

  it('respells a word with many places only all at once', () => {
    expect(spellingsOf('aeoeuess')).toEqual(['aeoeuess', 'äöüß'])
    expect(spellingsOf('müde')).toEqual(['müde', 'muede'])
    expect(spellingsOf('berlin')).toEqual(['berlin'])
  })

  it('understands umlauts that are a letter and a combining mark', () => {
    expect(found('Mu\u0308ller')).toEqual(found('Müller'))
  })
})
