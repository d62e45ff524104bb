/** What the eight files say of each other: the same again, something else under one number, nothing at all. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { shortfallOf } from '../../src/catalogue/shortfall.ts'
import type { RunResult } from '../../src/ingest/run.ts'
import { loadPipeline } from '../../src/pipeline/discover.ts'
import type { Store } from '../../src/store/layout.ts'
import { currentSnapshot } from '../../src/store/snapshots.ts'
import { ingest, query } from '../ingest/ingesting.ts'
import { scratchFolder, scratchStore } from '../store/scratch-store.ts'

const { definition } = await loadPipeline('ofacsdn')

type Files = Readonly<Record<string, readonly string[]>>

const entry = (number: number, name: string, remarks = '-0-', program = 'SDGT', type = 'individual'): string =>
  `${number},"${name}","${type}","${program}",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,"${remarks}"`
const alternate = (number: number, place: number, name: string): string => `${number},${place},"aka","${name}",-0- `
const address = (number: number, place: number, city: string): string => `${number},${place},-0- ,"${city}","Cuba",-0- `

/** Entries without anything else, by which a delivery is whole. */
const whole: Files = {
  'sdn_comments.csv': ['1,"END OF ONE"'],
  'cons_comments.csv': ['2,"END OF TWO"'],
  'sdn.csv': [entry(1, 'ONE, Sample')],
  'add.csv': [address(1, 11, 'Havana')],
  'alt.csv': [alternate(1, 12, 'UNO')],
  'cons_prim.csv': [entry(2, 'TWO, Sample')],
  'cons_add.csv': [address(2, 21, 'Trinidad')],
  'cons_alt.csv': [alternate(2, 22, 'DOS')],
}

const folderOf = (files: Files, packed: readonly string[] = []): string => {
  const folder = scratchFolder()
  for (const [name, lines] of Object.entries(files)) {
    const text = lines.map((line) => `${line}\r\n`).join('')
    writeFileSync(
      join(folder, packed.includes(name) ? `${name}.gz` : name),
      packed.includes(name) ? gzipSync(text) : text,
    )
  }
  return folder
}

const taking = (store: Store, files: Files, packed?: readonly string[]): Promise<RunResult> =>
  ingest(store, folderOf(files, packed), { definition })

const rows = (store: Store, sql: string): unknown => query(store, sql, definition.database)

const warnings = (store: Store): readonly string[] => currentSnapshot(store, 'ofacsdn')?.warnings ?? []

const taken = async (files: Files): Promise<Store> => {
  const store = scratchStore()
  expect(await taking(store, { ...whole, ...files })).toMatchObject({ outcome: 'published', rejected: 0 })
  return store
}

describe('what is said again', () => {
  it('in the same words is there once, and nothing is said of it', async () => {
    const store = await taken({
      'cons_prim.csv': [entry(1, 'ONE, Sample', 'DOB 1950.'), entry(2, 'TWO, Sample')],
      'sdn.csv': [entry(1, 'ONE, Sample', 'DOB 1950.')],
      'sdn_comments.csv': ['3,"X"'],
      'cons_add.csv': [address(1, 11, 'Havana')],
      'cons_alt.csv': [alternate(1, 12, 'UNO')],
    })
    expect(rows(store, 'SELECT ent_num, name FROM name ORDER BY 1, 2')).toEqual([
      [1, 'ONE, Sample'],
      [1, 'UNO'],
      [2, 'TWO, Sample'],
    ])
    expect(rows(store, 'SELECT count(*) FROM address')).toEqual([[1]])
    expect(rows(store, 'SELECT count(*) FROM birth')).toEqual([[1]])
    expect(warnings(store).filter((each) => each.includes('in other words'))).toEqual([])
  })

  it.each([
    ['in one file', 'alt.csv', 'add.csv'],
    ['in the other list', 'cons_alt.csv', 'cons_add.csv'],
  ])('in other words under the number of an alias or address %s is kept beside it, and told', async (_, alt, add) => {
    const store = await taken({
      [alt]: [...(whole[alt] ?? []), alternate(1, 12, 'TOTALLY DIFFERENT')],
      [add]: [...(whole[add] ?? []), address(1, 11, 'Santiago')],
    })
    const aliases = 'SELECT alt_num, ordinal, alt_name FROM alt_name WHERE ent_num = 1 ORDER BY ordinal'
    expect(rows(store, aliases)).toEqual([
      [12, 1, 'UNO'],
      [12, 2, 'TOTALLY DIFFERENT'],
    ])
    expect(rows(store, `SELECT name FROM name WHERE origin = 'alt_name' AND ent_num = 1 ORDER BY ordinal`)).toEqual([
      ['UNO'],
      ['TOTALLY DIFFERENT'],
    ])
    expect(rows(store, 'SELECT city_state_province FROM address WHERE ent_num = 1 ORDER BY ordinal')).toEqual([
      ['Havana'],
      ['Santiago'],
    ])
    expect(warnings(store)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(`^${alt}: a name has the number of one that is there already.*1 times`),
        expect.stringMatching(`^${add}: an address has the number of one that is there already.*1 times`),
      ]),
    )
  })

  it('of a remark goes on where its first end stopped', async () => {
    const store = await taken({
      'sdn.csv': [entry(1, 'ONE, Sample', 'DOB 1950; a.k.a.')],
      'sdn_comments.csv': [`1," 'FIRST WEAK'; a.k.a."`, `1," 'SECOND WEAK'."`],
    })
    expect(rows(store, `SELECT name FROM name WHERE strength = 'weak' ORDER BY number`)).toEqual([
      ['FIRST WEAK'],
      ['SECOND WEAK'],
    ])
    expect(rows(store, 'SELECT ordinal FROM sdn_comments WHERE ent_num = 1 ORDER BY 1')).toEqual([[1], [2]])
  })

  it('of an entry by the other list in other words adds its names, births and numbers', async () => {
    const other = `DOB 1950; DOB 1951; a.k.a. 'WEAK TWO'; Passport B2 (Cuba).`
    const store = await taken({
      'sdn.csv': [entry(1, 'ONE, Sample', `DOB 1950; a.k.a. 'WEAK ONE'; Passport A1 (Cuba).`)],
      'sdn_comments.csv': ['3,"X"'],
      'cons_prim.csv': [...(whole['cons_prim.csv'] ?? []), entry(1, 'ANOTHER NAME', other, 'NS-PLC', 'entity')],
    })
    expect(rows(store, 'SELECT name, kind, strength FROM name WHERE ent_num = 1 ORDER BY id')).toEqual([
      ['ONE, Sample', 'primary', 'strong'],
      ['WEAK ONE', 'alias', 'weak'],
      ['UNO', 'alias', 'strong'],
      ['ANOTHER NAME', 'primary', 'strong'],
      ['WEAK TWO', 'alias', 'weak'],
    ])
    expect(rows(store, 'SELECT ordinal, date FROM birth ORDER BY 1')).toEqual([
      [1, '1950'],
      [2, '1951'],
    ])
    expect(rows(store, 'SELECT ordinal, number FROM identifier ORDER BY 1')).toEqual([
      [1, 'A1'],
      [2, 'B2'],
    ])
    expect(rows(store, `SELECT otherwise FROM listing WHERE ent_num = 1 AND list = 'consolidated'`)).toEqual([
      [JSON.stringify({ sdn_name: 'ANOTHER NAME', sdn_type: 'entity' })],
    ])
  })

  it('of an entry by its own list is a fault of the file, which is not taken', async () => {
    const twice = { ...whole, 'sdn.csv': [entry(1, 'ONE, Sample'), entry(1, 'ANOTHER NAME')] }
    expect(await taking(scratchStore(), twice)).toMatchObject({
      outcome: 'failed',
      reason: { message: expect.stringContaining('sdn.csv line 2: entry 1 is there already') },
    })
  })
})

describe('a file under a wrong name', () => {
  const many = Array.from({ length: 120 }, (_, index) => entry(index + 1, `NUMBER ${index + 1}, Sample`))

  it('is refused where it is the other list’s, byte for byte', async () => {
    expect(await taking(scratchStore(), { ...whole, 'sdn.csv': many, 'cons_prim.csv': many })).toMatchObject({
      outcome: 'failed',
      reason: { code: 'NOT_WHAT_IT_SAYS', message: expect.stringContaining('sdn.csv and cons_prim.csv are the same') },
    })
  })

  it('is refused where its entries are the other list’s', async () => {
    const files = { ...whole, 'sdn.csv': many, 'cons_prim.csv': many }
    expect(await taking(scratchStore(), files, ['cons_prim.csv'])).toMatchObject({
      outcome: 'failed',
      reason: { message: expect.stringContaining('one of the files sdn.csv and cons_prim.csv is evidently the other') },
    })
  })

  it('is not suspected where the lists have some entries in common in the same words', async () => {
    const common = many.slice(0, 30)
    const others = many.map((_, index) => entry(1000 + index, `OTHER ${index}, Sample`))
    const store = await taken({
      'sdn.csv': many,
      'cons_prim.csv': [...common, ...others],
      'cons_comments.csv': ['1,"X"'],
    })
    expect(rows(store, 'SELECT count(*) FROM sdn')).toEqual([[many.length + others.length]])
  })

  it('has parts of nobody, which are counted', async () => {
    const store = await taken({ 'alt.csv': [alternate(9, 1, 'ORPHAN NAME'), alternate(9, 2, 'ORPHAN TOO')] })
    expect(warnings(store)).toContain('alt_name.ent_num: 2 rows refer to what is not in sdn.ent_num')
  })
})

describe('a folder of some of the files', () => {
  const some = { 'sdn.csv': whole['sdn.csv'] ?? [], 'add.csv': whole['add.csv'] ?? [] }

  it('is taken as what it is: each file that lacks is told, with what is not there', async () => {
    const store = scratchStore()
    expect(await taking(store, some)).toMatchObject({ outcome: 'published', rows: { sdn: 1, address: 1, alt_name: 0 } })
    const manifest = currentSnapshot(store, 'ofacsdn')
    expect(Object.keys(manifest?.lacking ?? {})).toEqual(Object.keys(whole).filter((name) => !(name in some)))
    expect(warnings(store)).toEqual(expect.arrayContaining([expect.stringMatching('^alt.csv: .*strong aliases')]))
    expect(manifest && shortfallOf(manifest)).toMatch('strong aliases of the SDN list are not there')
  })

  it('does not take the place of a whole delivery', async () => {
    const store = await taken({})
    expect(await taking(store, some)).toMatchObject({
      outcome: 'refused',
      reason: { message: expect.stringContaining('alt_name shrank from 2 to 0 rows') },
    })
  })

  it('must hold one of them', async () => {
    expect(await taking(scratchStore(), { 'else.csv': [] })).toMatchObject({
      outcome: 'failed',
      reason: { code: 'FILE_NOT_FOUND', message: expect.stringContaining('lacks 8 files') },
    })
  })
})
