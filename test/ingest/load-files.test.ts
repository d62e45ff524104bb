import { hash } from 'node:crypto'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type LoadFilesOptions, loadFiles } from '../../src/ingest/load-files.ts'
import { loadPipeline } from '../../src/pipeline/discover.ts'
import { scratchFolder } from '../store/scratch-store.ts'

/** A pipeline whose files are towns, with visits that are numbered on; lies in a folder, where threads can load it. */
const pipelineText = (more: string): string => `export default (kit) => kit.definePipeline({
  id: 'towns', title: 'Towns', description: 'Towns', publisher: 'Nobody', homepage: 'https://example.org',
  licence: { name: 'CC0', url: 'https://example.org', attribution: 'Nobody' },
  database: 'towns.db', schedule: { cron: '0 3 * * *', timeZone: 'UTC' },
  sources: [{ name: 'towns.csv', url: 'https://example.org/towns.csv', format: { type: 'csv' } }],
  tables: {
    town: { description: 'Towns', key: ['id'], columns: { id: 'TEXT', name: 'TEXT', size: 'INTEGER' }, indexes: [['size']] },
    visit: { description: 'Visits', key: ['town', 'day'], surrogate: 'number', columns: { town: 'TEXT', day: 'TEXT' } },
    place: { description: 'Places', key: ['number'], columns: { number: 'INTEGER', town: 'TEXT' } },
    year: { description: 'Years', key: [], columns: { year: 'INTEGER' } },
  },
  independent: true,
  map: (record, context) => {
    if (record.size === '13') context.reject('unlucky')
    if (record.size === '14') context.remark('odd size')
    if (record.day !== null) context.publisherDate(record.day)
    context.emit('place', { number: record.id.slice(1), town: record.id })
    context.emit('town', { id: record.id, name: record.name, size: record.size })
    context.emit('visit', { town: record.id, day: record.day })
    context.emit('year', { year: Number(record.day.slice(0, 4)) })
    context.unknown('rest')
  },
  ${more}
})`

const header = 'id,name,size,day\n'
/** Enough rows for several parts of a megabyte; two in a thousand are rejected. */
const rows = Array.from(
  { length: 32_000 },
  (_, index) =>
    `t${index},"Town ""${index}""\nby the river, with a long name",${index % 1000},20${10 + (index % 10)}-01-02\n`,
)

/** Comparing thousands of rows one by one would take seconds. */
const hashed = (all: unknown): string => hash('sha256', JSON.stringify(all))

const loading = async (
  text: string,
  more = 'guards: { maxRejected: 0.5 }',
  options: Partial<LoadFilesOptions> = {},
) => {
  const folder = scratchFolder()
  const pipelineFolder = join(folder, 'pipelines', 'towns')
  mkdirSync(pipelineFolder, { recursive: true })
  writeFileSync(join(pipelineFolder, 'index.mjs'), pipelineText(more))
  writeFileSync(join(folder, 'towns.csv'), text)
  const { definition } = await loadPipeline('towns', [join(folder, 'pipelines')])
  const path = join(folder, 'work', 'data.db')
  mkdirSync(dirname(path))
  const file = {
    name: 'towns.csv',
    url: 'file:x',
    path: join(folder, 'towns.csv'),
    bytes: text.length,
    sha256: '',
    retrievedAt: '',
  }
  const gaveUp: string[] = []
  const { building, report } = await loadFiles(path, definition, [file], {
    signal: new AbortController().signal,
    onProgress: () => undefined,
    pipelineFolder,
    onGaveUp: (why) => void gaveUp.push(why),
    ...options,
  })
  try {
    building.finish(() => undefined)
    const all = (sql: string) => building.database.prepare(sql).all()
    return {
      gaveUp,
      left: readdirSync(dirname(path)).map((name) => basename(name)),
      digest: building.contentDigest(),
      totals: building.totals(),
      report,
      rows: {
        town: hashed(all('SELECT * FROM town ORDER BY id')),
        visit: hashed(all('SELECT town, day FROM visit ORDER BY town')),
        place: hashed(all('SELECT * FROM place ORDER BY number')),
        year: all('SELECT year, count(*) AS n FROM year GROUP BY 1'),
        rejected: all('SELECT * FROM _rejected ORDER BY line'),
        numbers: all('SELECT min(number) AS low, max(number) AS high, count(*) AS n FROM visit'),
      },
      schema: all('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name'),
      check: building.database.pragma('integrity_check'),
    }
  } finally {
    building.abandon()
  }
}

const alone = { threadsFrom: Number.POSITIVE_INFINITY }

describe('loading in threads', () => {
  it('gives what loading one record after the other gives: rows, digest, account, keys and indexes', async () => {
    const text = header + rows.join('')
    const inThreads = await loading(text)
    const reference = await loading(text, undefined, alone)
    expect(inThreads.gaveUp).toEqual([])
    expect(inThreads).toEqual(reference)
    expect(reference.report.files[0]?.accounting).toMatchObject({ read: 32_000, mapped: 31_968, rejected: 32 })
    expect(inThreads.check).toEqual([{ integrity_check: 'ok' }])
    expect(inThreads.left).not.toContain('rows')
  })

  it.each([
    ['a key that is there twice', [...rows, rows[5] ?? '']],
    ['a number that is a key and there twice', [...rows, 'u5,Town,1,2010-01-02\n']],
    ['a quote past what is kept of a line', [...rows, `t99999,${'x'.repeat(1100)}5" pipe,1,2010-01-02\n`]],
    ['a stray quote', [...rows.slice(0, 20_000), 't99999,5" pipe,1,2010-01-02\n', ...rows.slice(20_000)]],
  ])('gives up over %s, and loads one record after the other', async (_, lines) => {
    const text = header + lines.join('')
    const inThreads = await loading(text)
    expect(inThreads.gaveUp).toHaveLength(1)
    expect({ ...inThreads, gaveUp: [] }).toEqual(await loading(text, undefined, alone))
  })

  it('gives up over a bad record that may not be, so that the error names the first one', async () => {
    await expect(loading(header + rows.join(''), '')).rejects.toThrow('towns: towns.csv line 28: unlucky')
  })

  it('is for deliveries that are big enough, of pipelines whose records do not depend on each other', async () => {
    const small = header + rows.slice(0, 5).join('')
    const gaveUp: string[] = []
    const broken = `${small}${rows[0]}`
    await loading(broken, undefined, { onGaveUp: (why) => void gaveUp.push(why) })
    await loading(header + rows.join('') + rows[0], 'guards: { maxRejected: 0.5 }, independent: false', {
      onGaveUp: (why) => void gaveUp.push(why),
    })
    expect(gaveUp).toEqual([])
  })

  it('ends with the run', async () => {
    const abort = new AbortController()
    const cancelled = loading(header + rows.join(''), undefined, {
      signal: abort.signal,
      onProgress: () => abort.abort(),
    })
    await expect(cancelled).rejects.toMatchObject({ code: 'CANCELLED' })
  })
})
