/** `serve --schemas DIR`: schemas of every dialect over files that people put there, through the real gateway. */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Running, startCommand } from '../../src/demo/processes.ts'
import { type Host, hosts } from '../gateway/hosts.ts'
import { type Example, examples, wellsSql } from '../schema/examples.ts'

const folder = mkdtempSync(join(tmpdir(), 'stichtag-own-'))
const home = join(folder, 'home')
const schemas = join(folder, 'schemas')

const databaseOf = ({ database }: Example): string =>
  join(database.in === 'global root' ? home : schemas, database.path)

const makeWells = (path: string, more = ''): void => {
  mkdirSync(dirname(path), { recursive: true })
  const database = new Database(path)
  database.exec(`${wellsSql} ${more}`)
  database.close()
}

/** Another file at the same path, by rename. */
const replace = (path: string, more: string): void => {
  makeWells(`${path}.new`, more)
  renameSync(`${path}.new`, path)
}

/** The same file, written to where it lies. */
const rewrite = (path: string, sql: string): void => {
  const database = new Database(path)
  database.exec(sql)
  database.close()
}

const [docs, flat, older, lifecycle, modes] = examples
if (!docs || !flat || !older || !lifecycle || !modes) throw new Error('there is an example of each dialect')

let gateway: Running | undefined
const connected: Host[] = []
let host: Host
beforeAll(async () => {
  mkdirSync(schemas, { recursive: true })
  // One database is not there yet.
  for (const example of examples) {
    writeFileSync(join(schemas, `${example.namespace}.mjs`), example.text)
    if (example !== flat) makeWells(databaseOf(example))
  }
  gateway = startCommand(['serve', '--http', '127.0.0.1:0', '--schemas', schemas], {
    ...process.env,
    STICHTAG_HOME: home,
  })
  const { url } = await gateway.line((line) => typeof line.url === 'string')
  for (const connect of Object.values(hosts)) connected.push(await connect({ url: String(url) }))
  const [first] = connected
  if (first === undefined) throw new Error('there are hosts')
  host = first
})
afterAll(async () => {
  await Promise.all(connected.map((each) => each.close()))
  await gateway?.stop()
  rmSync(folder, { recursive: true, force: true })
})

interface Answer {
  readonly isError: boolean
  readonly text: string
  readonly structured: Readonly<Record<string, unknown>>
}

const call = async (name: string, args: Readonly<Record<string, unknown>> = {}): Promise<Answer> => {
  const { isError, content, structuredContent } = await host.client.callTool({ name, arguments: args })
  // What our gateway's tools answer: text first, and an object beside it.
  const [first] = content as { text?: string }[]
  const structured = (structuredContent ?? {}) as Readonly<Record<string, unknown>>
  return { isError: isError === true, text: first?.text ?? '', structured }
}

const read = async (uri: string): Promise<Readonly<Record<string, unknown>>> => {
  const { contents } = await host.client.readResource({ uri })
  const [first] = contents
  if (first === undefined || !('text' in first)) throw new Error(`${uri} gave no text`)
  return JSON.parse(first.text)
}

const present = examples.filter((example) => example !== flat)

describe.each(present)('a schema in $dialect over a file of its own', ({ namespace, dialect, notServed }) => {
  it('answers its queries, with defaults, fixed values and links to the records', async () => {
    const { structured } = await call(`byPlace_${namespace}`, { place: 'Musterstadt' })
    expect(structured).toMatchObject({
      rows: [
        { id: 1, place: 'Musterstadt', works: 1 },
        { id: 3, place: 'Musterstadt', works: 1 },
      ],
      uris: [`${namespace}://well/1`, `${namespace}://well/3`],
    })
    expect(await call(`byPlace_${namespace}`, { place: 'Musterstadt', most: 6 })).toMatchObject({ isError: true })
  })

  it('has what FlowMCP adds: SQL of the caller under both names, and its tables', async () => {
    const count = { sql: 'SELECT count(*) AS n FROM well' }
    for (const name of ['freeQuery', 'runSql']) {
      expect((await call(`${name}_${namespace}`, count)).structured).toMatchObject({ rows: [{ n: 5 }] })
    }
    const { structured } = await call(`describeTables_${namespace}`)
    expect(structured.rows).toContainEqual({ table_name: 'well', column: 'place', type: 'TEXT' })
    expect(await call(`getSchema_${namespace}`)).toMatchObject({ isError: false })
  })

  it('has a URI for each record of a table with a key, and none for a table without', async () => {
    expect(await read(`${namespace}://well/3`)).toMatchObject({ record: { id: 3, note: 'Pumpe im Park' } })
    await expect(read(`${namespace}://visit/1`)).rejects.toThrow(/visit/)
  })

  it('is searched by the index that the file has', async () => {
    const { structured } = await call('search', { query: 'schlossbrunnen', datasets: [namespace] })
    expect(structured).toMatchObject({ results: [{ uri: `${namespace}://well/4` }], problems: [] })
  })

  it('tells its dialect, and what of it is not served', async () => {
    expect(await read(`${namespace}://dataset`)).toMatchObject({
      schemas: [{ name: 'Wells', dialect, ...(notServed.length === 0 ? {} : { notServed }) }],
    })
  })
})

describe('a database that is not there', () => {
  it('is an error that names every place, and of no folder of the machine; the rest works; it is served once it is there', async () => {
    const missing = await call('byPlace_flat', { place: 'Musterstadt' })
    expect(missing).toMatchObject({
      isError: true,
      text: expect.stringContaining("Tried: (the schema's folder)/flat.db, (the working folder)/flat.db."),
    })
    expect(missing.text).not.toContain(folder)
    expect(await read('docs://well/1')).toMatchObject({ record: { id: 1 } })
    for (const each of connected) await each.subscribe('flat://well/1')

    makeWells(databaseOf(flat))

    for (const each of connected) {
      await expect.poll(() => each.updates, { timeout: 20_000 }).toContain('flat://well/1')
    }
    const { structured } = await call('byPlace_flat', { place: 'Musterstadt' })
    expect(structured).toMatchObject({ rows: [{ id: 1 }, { id: 3 }] })
  })
})

describe('a file that is replaced from outside', () => {
  const [one, three] = ['well/1', 'well/3']
  const told = async (namespace: string, change: () => void): Promise<void> => {
    const [changed, same] = [`${namespace}://${one}`, `${namespace}://${three}`]
    for (const each of connected) await each.subscribe(changed, same)
    const before = connected.map(({ updates }) => updates.filter((uri) => uri === changed).length)
    change()
    for (const [index, each] of connected.entries()) {
      await expect
        .poll(() => each.updates.filter((uri) => uri === changed).length, { timeout: 20_000 })
        .toBe((before[index] ?? 0) + 1)
      expect(each.updates).not.toContain(same)
    }
  }

  it('by rename is noticed, and every host is told exactly what reads differently', async () => {
    await told('docs', () => replace(databaseOf(docs), "UPDATE well SET note = 'neu' WHERE id = 1"))
    expect(await read('docs://well/1')).toMatchObject({ record: { note: 'neu' } })
  })

  it('by writing into it is noticed as well', async () => {
    await told('older', () => rewrite(databaseOf(older), "UPDATE well SET note = 'neu' WHERE id = 1"))
    expect(await read('older://well/1')).toMatchObject({ record: { note: 'neu' } })
  })

  it('by a writer that leaves its changes in a log beside it is noticed as well', async () => {
    const writer = new Database(databaseOf(modes))
    try {
      writer.pragma('journal_mode = WAL')
      await told('modes', () => writer.exec("UPDATE well SET note = 'im Log' WHERE id = 1"))
      expect(existsSync(`${databaseOf(modes)}-wal`)).toBe(true)
      expect(await read('modes://well/1')).toMatchObject({ record: { note: 'im Log' } })
    } finally {
      writer.close()
    }
  })

  it('has another version with each', async () => {
    const before = await read('lifecycle://well/1')
    replace(databaseOf(lifecycle), "UPDATE well SET note = 'neu' WHERE id = 1")
    // At once, not only when the gateway has heard of it.
    const after = await read('lifecycle://well/1')
    expect(after).toMatchObject({ record: { note: 'neu' } })
    expect(after.version).not.toBe(before.version)
  })
})
