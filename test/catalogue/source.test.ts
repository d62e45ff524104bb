import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import type { CatalogueMove, CatalogueSource } from '../../src/catalogue/types.ts'
import { createReaderPool } from '../../src/query/pool.ts'
import { createInProcessPool } from './in-process-pool.ts'
import { afterTest, bodyOf, open, registerWith } from './opened.ts'
import { fillRegister, Register } from './register.ts'

const anna = { number: 'K1', name: 'Anna AG', officers: ['Anna'] }
const bob = { number: 'K2', name: 'Bob AG', officers: ['Bob'] }
const carl = { number: 'K3', name: 'Carl AG' }

const watched = [
  'offeneregister://company/K1',
  'offeneregister://company/K2',
  'offeneregister://company/K3',
  'offeneregister://company/K4',
  'offeneregister://officer/K2/1',
  'offeneregister://schema',
  'offeneregister://history/company/K1',
  'offeneregister://history/company/K2',
]

/** A source that watches, and every move it told. */
const watching = async (register: Register, over: Parameters<typeof open>[1] = {}) => {
  const source = await open(register, { watch: true, ...over })
  const moves: CatalogueMove[] = []
  source.onMove((move) => moves.push(move))
  return { source, moves }
}

/** Which of the URIs differ between two lists of digests. */
const differing = (before: readonly unknown[], after: readonly unknown[]): readonly string[] =>
  watched.filter((_, index) => before[index] !== after[index])

const versionOf = (source: CatalogueSource): string | undefined => source.current.versions.get('offeneregister')

const movedTo = (source: CatalogueSource, version: string): Promise<void> =>
  vi.waitFor(() => expect(versionOf(source)).toBe(version), { timeout: 20_000 })

describe('a live catalogue', () => {
  it('follows the pointer, and digests differ for exactly what reads differently', async () => {
    const register = registerWith([anna, bob, carl])
    const { source, moves } = await watching(register)
    const before = await source.current.digests(watched)
    // K2's officer changed, K3 went, K4 came, K1 stayed.
    const version = register.publish([anna, { ...bob, officers: ['Berta'] }, { ...anna, number: 'K4' }])
    await movedTo(source, version)
    const after = await source.current.digests(watched)
    expect(differing(before, after)).toEqual([
      'offeneregister://company/K2',
      'offeneregister://company/K3',
      'offeneregister://company/K4',
      'offeneregister://officer/K2/1',
      'offeneregister://history/company/K2',
    ])
    expect([before[3], after[2]]).toEqual([null, null])
    expect(moves[0]).toEqual({ datasets: ['offeneregister'], toolsChanged: false, resourcesChanged: false })
  })

  it('follows a rollback, and every digest is what it was', async () => {
    const register = registerWith([anna, bob])
    const first = register.current
    if (first === undefined) throw new Error('nothing published')
    const { source } = await watching(register)
    const records = watched.filter((uri) => !uri.includes('history'))
    const before = await source.current.digests(records)
    await movedTo(source, register.publish([{ ...anna, name: 'Anna SE' }, bob]))
    expect(await source.current.digests(records)).not.toEqual(before)
    register.point(first, 'rollback')
    await movedTo(source, first)
    expect(await source.current.digests(records)).toEqual(before)
  })

  it('follows state.json: the dataset reads differently, its records do not', async () => {
    const register = registerWith([anna])
    const { source, moves } = await watching(register)
    const uris = ['offeneregister://dataset', 'offeneregister://company/K1', 'offeneregister://snapshots']
    const before = await source.current.digests(uris)
    register.writeState({ lastRun: { run: 'r', outcome: 'failed', at: '2026-12-01T04:00:00.000Z' } })
    await vi.waitFor(() => expect(moves).not.toEqual([]), { timeout: 20_000 })
    const after = await source.current.digests(uris)
    expect(after[0]).not.toBe(before[0])
    expect(after.slice(1)).toEqual(before.slice(1))
    expect(await bodyOf(source, 'offeneregister://dataset')).toMatchObject({ state: 'failing' })
  })

  it('notices a version that was pruned: the list of versions reads differently', async () => {
    const register = registerWith([anna])
    const old = register.current
    register.publish([bob])
    if (old === undefined) throw new Error('nothing published')
    const { source, moves } = await watching(register)
    const uris = ['offeneregister://snapshots', `offeneregister://snapshots/${old}/company/K1`]
    const before = await source.current.digests(uris)
    register.prune(old)
    await vi.waitFor(() => expect(moves).not.toEqual([]), { timeout: 20_000 })
    const after = await source.current.digests(uris)
    expect(after[0]).not.toBe(before[0])
    expect([before[1], after[1]]).toEqual([expect.any(String), null])
  })

  it('tells nothing of a dataset whose files were touched and say the same', async () => {
    const register = registerWith([anna])
    const other = new Register('other', register.store.root)
    other.publish([bob])
    const { source, moves } = await watching(register)
    other.writeState({})
    await movedTo(source, register.publish([bob]))
    expect(new Set(moves.flatMap(({ datasets }) => datasets))).toEqual(new Set(['offeneregister']))
  })

  it('reads each version whole while the pointer moves: never a mixture', async () => {
    const versions = [0, 1, 2, 3].map((n) => [{ number: 'K1', name: `Name ${n}`, officers: [`Officer ${n}`] }])
    const register = registerWith(versions[0] ?? [])
    const { source } = await watching(register)
    const seen = new Set<string>()
    for (const companies of versions.slice(1)) {
      const version = register.publish(companies)
      const deadline = Date.now() + 20_000
      while (versionOf(source) !== version && Date.now() < deadline) {
        const { record, related } = (await bodyOf(source, 'offeneregister://company/K1')) as {
          record: { name: string }
          related: { officers: { name: string }[] }
        }
        const officer = related.officers[0]?.name.replace('Officer', 'Name')
        expect(officer).toBe(record.name)
        seen.add(record.name)
        await new Promise(setImmediate)
      }
      expect(versionOf(source)).toBe(version)
    }
    expect(seen.size).toBeGreaterThan(0)
  })

  it('opens no database at start: manifests tell what is in them', async () => {
    const pool = createInProcessPool()
    const source = await open(registerWith([anna]), { pool })
    source.current.listTools()
    source.current.listTemplates()
    source.current.listResources()
    await source.current.read('offeneregister://dataset')
    expect(pool.asked).toEqual([])
  })

  it('serves a store that comes to be after it was opened', async () => {
    const register = registerWith()
    rmSync(register.store.root, { recursive: true })
    const { source, moves } = await watching(register)
    expect(source.current.listResources()).toEqual([])
    const version = register.publish([anna])
    await movedTo(source, version)
    expect(moves.at(-1)).toMatchObject({ toolsChanged: true, resourcesChanged: true })
  })

  it('stops telling whoever unsubscribed, and everybody once closed', async () => {
    const register = registerWith([anna])
    const source = await open(register, { watch: true })
    const told: string[] = []
    const stop = source.onMove(() => told.push('stopped'))
    source.onMove(() => told.push('kept'))
    stop()
    await movedTo(source, register.publish([bob]))
    expect(new Set(told)).toEqual(new Set(['kept']))
    await source.close()
    told.length = 0
    // Another one that watches the same store tells when this one would have.
    const { source: other } = await watching(register)
    await movedTo(other, register.publish([carl]))
    expect(told).toEqual([])
  })

  it('prefers the project store, and falls back to the global one', async () => {
    const register = registerWith([anna])
    const project = new Register('offeneregister')
    afterTest(() => project.remove())
    const version = project.publish([bob], { asOf: '2026-01-01' })
    const stores = [register.store, { ...project.store, origin: 'project' as const }]
    const both = await open(register, { stores })
    expect(await bodyOf(both, 'offeneregister://company/K2')).toMatchObject({ version, asOf: '2026-01-01' })
    rmSync(join(project.store.root, 'data/openregister.db'))
    const fallen = await open(register, { stores })
    expect(await bodyOf(fallen, 'offeneregister://company/K1')).toMatchObject({ version: register.current })
  })

  it('serves only the datasets that were asked for', async () => {
    const register = registerWith([anna])
    const other = new Register('other', register.store.root)
    other.publish([bob])
    const source = await open(register, { datasets: ['other'] })
    expect([...source.current.versions.keys()]).toEqual(['other'])
    await expect(source.current.read('offeneregister://dataset')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('takes the schema of the last folder that has the namespace: people replace ours by their own', async () => {
    const register = registerWith([anna])
    const schema = (name: string) => ({
      namespace: 'offeneregister',
      name,
      version: '3.0.0',
      description: 'd',
      root: '',
      tools: {},
      resources: {
        db: {
          source: 'sqlite',
          database: 'openregister.db',
          origin: 'global',
          description: 'd',
          queries: { [name]: { sql: 'SELECT 1', description: 'd', parameters: {} } },
        },
      },
    })
    const folders = ['ours', 'theirs'].map((name) => {
      mkdirSync(join(register.schemas, name))
      register.writeSchema(schema(name), `${name}/${name}.mjs`)
      return join(register.schemas, name)
    })
    const { source, moves } = await watching(register, { schemaFolders: folders })
    expect(source.current.hasTool('theirs_offeneregister')).toBe(true)
    expect(source.current.hasTool('ours_offeneregister')).toBe(false)
    rmSync(join(register.schemas, 'theirs/theirs.mjs'))
    await vi.waitFor(() => expect(source.current.hasTool('ours_offeneregister')).toBe(true), { timeout: 20_000 })
    expect(moves.at(-1)).toMatchObject({ toolsChanged: true, resourcesChanged: true })
  })

  it('works with real reader processes', async () => {
    const register = registerWith([anna, bob])
    const pool = createReaderPool({ readers: 2, timeoutMs: 20_000 })
    afterTest(() => pool.close())
    const source = await open(register, { pool })
    const uris = ['offeneregister://company/K1', 'offeneregister://company/K9', 'offeneregister://history/company/K2']
    const readings = await Promise.all([0, 2].map(async (n) => (await source.current.read(uris[n] ?? '')).digest))
    expect(await source.current.digests(uris)).toEqual([readings[0], null, readings[1]])
    const found = await source.current.call('search', { query: 'bob' })
    expect(found).toMatchObject({ ok: true, structured: { results: [{ title: 'Bob AG' }, { title: 'Bob' }] } })
  })
})

describe("somebody's own database", () => {
  const schema = {
    namespace: 'mine',
    name: 'My register',
    version: '3.0.0',
    description: 'My own companies.',
    root: '',
    tools: {},
    resources: {
      own: {
        source: 'sqlite',
        database: 'mine.db',
        origin: 'global',
        description: 'Mine.',
        queries: {
          all: { sql: 'SELECT company_number, name FROM company', description: 'All companies.', parameters: {} },
        },
      },
    },
  }

  it('is waited for, served when it appears, followed when it changes, and missed when it goes', async () => {
    const register = registerWith()
    register.writeSchema(schema)
    const file = join(register.store.root, 'data/mine.db')
    const { source, moves } = await watching(register)
    const uris = ['mine://company/K1', 'mine://query/all']
    const states: unknown[] = []
    const look = async () => states.push(await source.current.digests(uris))
    expect(source.current.canSubscribe('mine://company/K1')).toBe(true)
    expect(await source.current.call('all_mine', {})).toMatchObject({
      ok: false,
      code: 'DATABASE_MISSING',
      message: expect.stringContaining('Tried: $STICHTAG_HOME/data/mine.db, $STICHTAG_HOME/resources/mine.db.'),
    })
    await look()
    const steps = [
      () => {
        mkdirSync(dirname(file), { recursive: true })
        fillRegister(`${file}.new`, [anna])
        renameSync(`${file}.new`, file)
      },
      () => {
        fillRegister(`${file}.new`, [{ ...anna, name: 'Anna SE' }])
        renameSync(`${file}.new`, file)
      },
      () => rmSync(file),
    ]
    for (const step of steps) {
      const before = versionsIn(source)
      step()
      await vi.waitFor(() => expect(versionsIn(source)).not.toBe(before), { timeout: 20_000 })
      await look()
    }
    const [missing, first, second, gone] = states
    expect(missing).toEqual([null, null])
    expect(gone).toEqual([null, null])
    expect(first).toEqual([expect.any(String), expect.any(String)])
    expect(second).not.toEqual(first)
    expect(moves.length).toBeGreaterThanOrEqual(3)
  })

  const versionsIn = (source: CatalogueSource): string => source.current.versions.get('mine') ?? ''

  it('is described by looking into it: tables, keys, full text, and no insides of an index', async () => {
    const register = registerWith()
    register.writeSchema(schema)
    mkdirSync(join(register.store.root, 'resources'))
    fillRegister(join(register.store.root, 'resources/mine.db'), [anna])
    const source = await open(register)
    expect(await bodyOf(source, 'mine://schema')).toMatchObject({
      licence: 'not stated',
      tables: [
        { name: 'company', key: ['company_number'] },
        { name: 'officer', key: ['id'] },
      ],
      views: [{ name: 'companies' }],
      fullText: [
        { name: 'company_fts', table: 'company', columns: ['name', 'registered_address'] },
        { name: 'officer_fts', table: 'officer' },
      ],
    })
    expect(source.current.listTemplates().map(({ uriTemplate }) => uriTemplate)).toEqual([
      'mine://company/{company_number}',
      'mine://officer/{id}',
    ])
    expect(await source.current.call('search', { query: 'anna', datasets: ['mine'] })).toMatchObject({
      structured: { results: [{ uri: 'mine://company/K1' }, { uri: 'mine://officer/1' }] },
    })
  })

  it('that points into a snapshot of ours is that snapshot', async () => {
    const register = registerWith([anna])
    register.writeSchema(schema)
    symlinkSync('openregister.db', join(register.store.root, 'data/mine.db'))
    const source = await open(register)
    expect(await bodyOf(source, 'mine://company/K1')).toMatchObject({ version: register.current, licence: 'CC BY 4.0' })
  })

  it('that is no database is reported, and takes nothing else down', async () => {
    const register = registerWith([anna])
    register.writeSchema(schema)
    writeFileSync(
      join(register.store.root, 'data/mine.db'),
      'not a database, but long enough to be looked at as one '.repeat(20),
    )
    const source = await open(register)
    expect(await bodyOf(source, 'mine://dataset')).toMatchObject({
      state: 'broken',
      problems: [{ code: 'QUERY_FAILED' }],
    })
    expect(await source.current.call('all_mine', {})).toMatchObject({ ok: false, code: 'QUERY_FAILED' })
    expect(await bodyOf(source, 'offeneregister://company/K1')).toMatchObject({ record: { name: 'Anna AG' } })
  })
})
