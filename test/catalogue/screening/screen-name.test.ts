import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { lookedUpName } from '../../../src/catalogue/screening/looked-up-name.ts'
import { openCatalogue } from '../../../src/catalogue/source.ts'
import type { CatalogueSource } from '../../../src/catalogue/types.ts'
import { runCommand } from '../../../src/demo/processes.ts'
import { createInProcessPool } from '../in-process-pool.ts'
import { afterTest, answerOf, open, registerWith } from '../opened.ts'
import { Register } from '../register.ts'
import { type ListEntry, ListFolder } from './list-folder.ts'

const ayman: ListEntry = { id: 'A1', names: ['AL-MUSTER, Ayman Rabi', '~Abu Muster'], birth: '1951-06-19' }
const lech: ListEntry = { id: 'A2', names: ['Wałęski Probierz', 'Jürgen Großmann'] }

const folder = (): ListFolder => {
  const lists = new ListFolder()
  afterTest(() => lists.remove())
  return lists
}

const opened = async (lists: ListFolder): Promise<CatalogueSource> => {
  const source = await openCatalogue({
    stores: [lists.store],
    schemaFolders: [lists.schemas],
    pool: createInProcessPool(),
    watch: false,
    log: pino({ level: 'silent' }),
  })
  afterTest(() => source.close())
  return source
}

const withLists = (...lists: readonly (readonly [string, readonly ListEntry[]])[]): Promise<CatalogueSource> => {
  const made = folder()
  for (const [dataset, entries] of lists) made.add(dataset, entries)
  return opened(made)
}

const hitsOf = async (source: CatalogueSource, name: string, args = {}): Promise<Record<string, unknown>[]> =>
  (await answerOf(source, 'screen_name', { name, ...args })).hits as Record<string, unknown>[]

describe('screen_name', () => {
  it('says all that is needed to judge a hit, and links to the record', async () => {
    const source = await withLists(['one', [ayman, lech]])
    const answer = await source.current.call('screen_name', { name: 'Ayman Rabi Al Muster' })
    expect(answer).toMatchObject({
      ok: true,
      structured: {
        note: expect.stringMatching(/lead and no verdict.*no clearance/s),
        threshold: 0.85,
        hits: [
          {
            score: 1,
            dataset: 'one',
            list: 'List one',
            uri: 'one://entry/A1',
            matchedName: 'AL-MUSTER, Ayman Rabi',
            kind: 'primary',
            strength: 'strong',
            type: 'person',
            programs: ['TEST-1'],
            birthDates: ['1951-06-19'],
          },
        ],
        truncated: false,
        lists: [{ dataset: 'one', licence: 'Licence of one', attribution: 'Publisher of one', hits: 1 }],
        leftOut: [],
        problems: [],
      },
      links: [{ uri: 'one://entry/A1' }],
    })
    expect(JSON.parse(JSON.stringify(answer)).structured).not.toHaveProperty('sample')
    expect((await source.current.read('one://entry/A1')).contents).toHaveLength(1)
  })

  it.each([
    ['another order', 'Rabi Muster al Ayman'],
    ['a letter too much', 'Aymann Rabi Al Muster'],
    ['a letter too few', 'Aman Rabi Al Muster'],
    ['another letter', 'Aymon Rabi Al Muster'],
    ['swapped letters', 'Ayman Rabi Al Mutser'],
    ['an error at the beginning', 'Xyman Rabi Al Muster'],
    ['a space too few', 'Ayman Rabi AlMuster'],
    ['a space too much', 'Ay man Rabi Al Muster'],
    ['a name left out', 'Ayman Al Muster'],
    ['a name more', 'Ayman Rabi Hassan Al Muster'],
    ['a weak alias', 'Abu Muster'],
  ])('finds a name with %s', async (_, name) => {
    expect(await hitsOf(await withLists(['one', [lech, ayman]]), name)).toMatchObject([{ uri: 'one://entry/A1' }])
  })

  it.each([
    'Waleski Probierz',
    'Wałęski Probierz',
    'WALESKI probierz',
    'Juergen Grossmann',
    'Jurgen Großmann',
    'Jürgen Grosmann',
  ])('folds letters: %s', async (name) => {
    expect(await hitsOf(await withLists(['one', [lech, ayman]]), name)).toMatchObject([{ uri: 'one://entry/A2' }])
  })

  it.each([
    [
      'a name of nobody',
      `INSERT INTO name VALUES (NULL, 'X9', 'ORPHANUS', 'alias', 'strong')`,
      'no entry of that number',
    ],
    [
      'an entry whose table is not there',
      `DROP VIEW entity;
       CREATE VIEW entity AS SELECT id AS entity_id, 'person' AS type, name, NULL AS listed_on, NULL AS amended_on,
         remarks, 'elsewhere' AS record_table FROM entry;
       INSERT INTO name VALUES (NULL, 'A1', 'ORPHANUS', 'alias', 'strong')`,
      'cannot be read whole',
    ],
  ])('gives a URI that can be read for %s, and says what is there', async (_, sql, said) => {
    const lists = folder()
    lists.add('one', [ayman])
    const database = new Database(join(lists.schemas, 'one.db'))
    database.exec(`${sql}; INSERT INTO name_fts(name_fts) VALUES ('rebuild')`)
    database.close()
    const source = await opened(lists)
    const [hit] = await hitsOf(source, 'Orphanus')
    expect(hit).toMatchObject({ score: 1, uri: 'one://dataset', noRecord: expect.stringContaining(said) })
    expect((await source.current.read(String(hit?.uri))).contents).not.toEqual([])
  })

  it.each([
    ['Georgian', 'თბილისი'],
    ['Cherokee', 'ᏣᎳᎩ'.toLowerCase()],
    ['Adlam', '𞤢𞤣𞤤𞤢𞤥'],
    ['Osage', '𐓘𐓙𐓚'],
    ['Deseret', '𐐨𐐩𐐪'],
    ['Cyrillic', 'пушкин'],
    ['Armenian', 'հայաստան'],
    ['Greek', 'αθηνας'],
  ])('finds a name in %s whatever its capitals', async (_, name) => {
    const [first = ''] = name
    const forms = [name, name.toUpperCase(), first.toUpperCase() + name.slice(first.length)]
    for (const listed of forms) {
      const source = await withLists(['one', [{ id: 'A1', names: [listed] }]])
      for (const wanted of forms) expect(await hitsOf(source, wanted)).toMatchObject([{ score: 1 }])
    }
  })

  it.each(['U', '王'])('finds a name of one character, %s', async (name) => {
    const source = await withLists(['one', [ayman, { id: 'A2', names: [name] }]])
    expect(await hitsOf(source, name)).toMatchObject([{ score: 1, uri: 'one://entry/A2' }])
  })

  it('takes no empty choice of lists for an answer', async () => {
    const source = await withLists(['one', [ayman]])
    expect(await source.current.call('screen_name', { name: 'Ayman', datasets: [] })).toMatchObject({
      ok: false,
      message: expect.stringMatching(/datasets.*leave it out to search all/s),
    })
  })

  it('never looks into remarks', async () => {
    expect(await hitsOf(await withLists(['one', [ayman]]), 'Remarka Onlyhere', { threshold: 0.5 })).toEqual([])
  })

  it('gives the strong name before the weak one of the same score, and each entity once', async () => {
    const weak: ListEntry = { id: 'B1', names: ['Somebody Else', '~Ayman Test'] }
    const strong: ListEntry = { id: 'B2', names: ['Ayman Test', 'Test Ayman'] }
    const hits = await hitsOf(await withLists(['one', [weak]], ['two', [strong]]), 'Ayman Test')
    expect(hits).toMatchObject([
      { dataset: 'two', strength: 'strong', score: 1 },
      { dataset: 'one', strength: 'weak', score: 1, entity: 'Somebody Else' },
    ])
  })

  it('says exactly when there are more hits than are shown', async () => {
    const many = Array.from({ length: 6 }, (_, place): ListEntry => ({ id: `M${place}`, names: ['Same Name'] }))
    const source = await withLists(['one', many])
    expect(await answerOf(source, 'screen_name', { name: 'same name', limit: 5 })).toMatchObject({
      truncated: true,
      hits: { length: 5 },
      lists: [{ hits: 6 }],
    })
    expect(await answerOf(source, 'screen_name', { name: 'same name', limit: 6 })).toMatchObject({ truncated: false })
  })

  it('never searches an invented sample beside a real list unless asked, and then says so', async () => {
    const lists = folder()
    lists.add('real', [ayman])
    lists.add('made-up', [ayman], { sample: true })
    const source = await opened(lists)
    const byItself = await answerOf(source, 'screen_name', { name: 'Ayman Rabi al Muster' })
    expect(byItself).toMatchObject({ hits: [{ dataset: 'real' }], leftOut: [{ dataset: 'made-up' }] })
    expect(byItself).not.toHaveProperty('sample')
    const asked = { name: 'Ayman Rabi al Muster', datasets: ['made-up', 'real', 'real'] }
    const named = await answerOf(source, 'screen_name', asked)
    expect(named).toMatchObject({ sample: expect.stringContaining('Invented'), leftOut: [], hits: { length: 2 } })
    const hits = named.hits as { dataset: string; sample?: string }[]
    expect(hits.map(({ dataset, sample }) => [dataset, sample !== undefined]).sort()).toEqual([
      ['made-up', true],
      ['real', false],
    ])
  })

  it('searches a sample where there is nothing else, and says so', async () => {
    const lists = folder()
    lists.add('made-up', [ayman], { sample: true })
    expect(await answerOf(await opened(lists), 'screen_name', { name: 'Ayman Rabi al Muster' })).toMatchObject({
      sample: expect.stringContaining('Invented'),
      hits: [{ sample: expect.stringContaining('Invented') }],
    })
  })

  it('names the lists that are not there, and the datasets that are none', async () => {
    const lists = folder()
    lists.add('one', [ayman])
    lists.add('absent', undefined)
    const source = await opened(lists)
    expect(await answerOf(source, 'screen_name', { name: 'Nobody Here' })).toMatchObject({
      hits: [],
      lists: [{ dataset: 'one' }],
      problems: [{ dataset: 'absent', code: 'DATABASE_MISSING' }],
    })
    const register = registerWith([{ number: 'K1', name: 'Muster AG' }])
    expect((await open(register)).current.hasTool('screen_name')).toBe(false)
  })

  it('names a snapshot that cannot be read, since it may be a list', async () => {
    const register = new Register('some-list')
    afterTest(() => register.remove())
    register.damage(register.publish([{ number: 'K1', name: 'Muster AG' }]))
    const lists = folder()
    lists.add('one', [ayman])
    const source = await openCatalogue({
      stores: [lists.store, { root: register.store.root, origin: 'project' }],
      schemaFolders: [lists.schemas],
      pool: createInProcessPool(),
      watch: false,
      log: pino({ level: 'silent' }),
    })
    afterTest(() => source.close())
    expect(await answerOf(source, 'screen_name', { name: 'Nobody Here' })).toMatchObject({
      problems: [{ dataset: 'some-list', code: 'SNAPSHOT_INVALID' }],
    })
  })

  it.each([
    [{ name: '' }, 'ARGUMENTS_INVALID'],
    [{ name: '***' }, 'ARGUMENTS_INVALID'],
    [{ name: 'Ayman', datasets: ['nobody'] }, 'UNKNOWN_DATASET'],
    [{ name: 'Ayman', threshold: 2 }, 'ARGUMENTS_INVALID'],
  ])('given %j answers %s', async (args, code) => {
    expect(await (await withLists(['one', [ayman]])).current.call('screen_name', args)).toMatchObject({
      ok: false,
      code,
    })
  })

  it('takes a name as words, whatever stands in it', async () => {
    const source = await withLists(['one', [ayman]])
    for (const name of [
      '"Ayman" OR *',
      "') ; DROP TABLE name --",
      'NEAR(a b)',
      'name_fts:x ^y',
      `${'ab '.repeat(99)}`,
    ]) {
      expect(await source.current.call('screen_name', { name }), name).toMatchObject({ ok: true })
    }
  })

  it.each([
    [250, false],
    [251, true],
  ])('says exactly whether more names have all words than are compared: of %i', async (count, truncated) => {
    const names = Array.from({ length: count }, () => 'Ali Baba')
    const answer = await answerOf(await withLists(['one', [{ id: 'L1', names }]]), 'screen_name', { name: 'ali baba' })
    expect(answer).toMatchObject({ truncated, hits: { length: 1 } })
  })

  it('compares the beginning of a name that is longer than any, and says so', async () => {
    const source = await withLists([
      'one',
      [{ id: 'L1', names: ['Somebody', `Ayman Muster ${'and so on '.repeat(90_000)}`] }],
    ])
    const [hit] = await hitsOf(source, 'Ayman Muster', { threshold: 0.5 })
    expect(hit).toMatchObject({ uri: 'one://entry/L1', partly: expect.stringContaining('400 characters, 40 words') })
    expect(hit?.matchedName).toMatch(/^Ayman Muster and so on .*…$/)
    expect(hit?.matchedName).toHaveLength(401)
    const [whole] = await hitsOf(await withLists(['one', [ayman]]), 'Abu Muster')
    expect(whole).not.toHaveProperty('partly')
  })

  it('says when the name looked up is longer than what is compared', async () => {
    const source = await withLists(['one', [ayman]])
    expect(await answerOf(source, 'screen_name', { name: 'a '.repeat(41) })).toHaveProperty('partly')
    expect(await answerOf(source, 'screen_name', { name: 'a '.repeat(40) })).not.toHaveProperty('partly')
  })

  it('compares no more than is quickly done of lists that were made to take long, and says what is missing', async () => {
    const names = Array.from({ length: 250 }, (_, place) => `${'ali baba bab bac bad '.repeat(90)}${place}`)
    const source = await withLists(['one', [{ id: 'L1', names }, ayman]], ['two', [ayman]])
    const many = Array.from({ length: 39 }, (_, place) => `ba${'abcdefghijklm'[place % 13]}`).join(' ')
    const answer = await answerOf(source, 'screen_name', { name: `ali ${many}` })
    expect(answer).toMatchObject({
      truncated: true,
      problems: [{ dataset: 'one', code: 'PARTLY_COMPARED', message: expect.stringMatching(/^\d+ of its \d+ names/) }],
    })
    expect(await answerOf(source, 'screen_name', { name: 'Ayman Rabi Al Muster' })).toMatchObject({
      hits: [{ dataset: 'one' }, { dataset: 'two' }],
      truncated: false,
      problems: [],
    })
  })

  it('answers for odd names of every kind with a bounded number of questions', async () => {
    const source = await withLists(['one', [ayman, lech]])
    const alphabets = [
      'abc',
      'äöüßæłıÅİ',
      'абвіё',
      'αβς',
      'ابت',
      'אבג',
      '习近平',
      '\ufdfa\u0301\u200d',
      '😀\ud800',
      '\0"*^:(',
    ]
    for (let seed = 1; seed <= 300; seed += 1) {
      const letters = alphabets.filter((_, place) => ((seed * 37) >> place) % 2 === 1).flatMap((each) => [...each])
      const step = 1 + (seed % 13)
      const name = Array.from({ length: 300 }, (_, at) =>
        at % step === step - 1 ? ' ' : letters[(at * seed) % letters.length],
      )
        .join('')
        .slice(0, 2 + ((seed * 29) % 299))
      const { spellings, words } = lookedUpName(name)
      expect(spellings.length, JSON.stringify(name)).toBeLessThan(3000)
      expect(words.length, JSON.stringify(name)).toBeLessThanOrEqual(40)
      const answer = await source.current.call('screen_name', { name })
      expect(answer.ok ? 'ok' : answer.code, JSON.stringify(name)).toBe(words.length === 0 ? 'ARGUMENTS_INVALID' : 'ok')
    }
  })

  it('says of a list whose last run failed that it did, and searches what is there', async () => {
    const lists = folder()
    await runCommand(['ingest', 'unsc', '--sample'], {
      ...process.env,
      STICHTAG_HOME: lists.root,
      STICHTAG_LOG: 'error',
    })
    const file = join(lists.root, 'data', 'snapshots', 'unsc', 'state.json')
    const state = JSON.parse(readFileSync(file, 'utf8'))
    const lastRun = { ...state.lastRun, outcome: 'failed', reason: { code: 'SOURCE_FAILED', message: 'no answer' } }
    writeFileSync(file, JSON.stringify({ ...state, lastRun }))
    expect(await answerOf(await opened(lists), 'screen_name', { name: 'Zugang Neulinde' })).toMatchObject({
      hits: [{ uri: 'unsc://entry/ZZi.907', score: 1 }],
      lists: [{ dataset: 'unsc', state: 'failing' }],
      problems: [{ dataset: 'unsc', code: 'FAILING' }],
    })
  })
})
