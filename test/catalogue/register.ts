/** A small register in a real store: companies and their officers, published version by version. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { compareSnapshots, sideOf, writeNoChanges } from '../../src/ingest/compare.ts'
import {
  changesFile,
  dataFile,
  datasetFolder,
  manifestFile,
  type Store,
  snapshotFolder,
} from '../../src/store/layout.ts'
import type { Manifest } from '../../src/store/manifest.ts'
import { movePointer } from '../../src/store/pointer.ts'
import { writeState } from '../../src/store/snapshots.ts'
import { emptyState, type State } from '../../src/store/state.ts'
import { nextVersion, type Version } from '../../src/store/version.ts'

export interface Company {
  readonly number: string
  readonly name: string
  readonly address?: string
  readonly logo?: Buffer
  readonly officers?: readonly string[]
}

const text = (name: string) => ({ name, type: 'TEXT' as const })

const tables: Manifest['tables'] = [
  {
    name: 'company',
    description: 'Companies.',
    columns: [text('company_number'), text('name'), text('registered_address'), { name: 'logo', type: 'BLOB' }],
    key: ['company_number'],
    title: 'name',
    indexes: [],
    related: [{ name: 'officers', table: 'officer', on: { company_id: 'company_number' }, orderBy: ['ordinal'] }],
    rows: 0,
    digest: '',
  },
  {
    name: 'officer',
    description: 'Officers of companies.',
    columns: [
      { name: 'id', type: 'INTEGER', surrogate: true },
      text('company_id'),
      { name: 'ordinal', type: 'INTEGER' },
      text('name'),
    ],
    key: ['company_id', 'ordinal'],
    title: 'name',
    indexes: [],
    related: [],
    rows: 0,
    digest: '',
  },
]

const createTables = `
  CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT);
  CREATE TABLE company(company_number TEXT NOT NULL PRIMARY KEY, name TEXT, registered_address TEXT, logo BLOB);
  CREATE TABLE officer(id INTEGER PRIMARY KEY, company_id TEXT NOT NULL, ordinal INTEGER NOT NULL, name TEXT);
  CREATE UNIQUE INDEX officer_key ON officer(company_id, ordinal);
  CREATE VIEW companies AS SELECT company_number, name FROM company;
  CREATE VIRTUAL TABLE company_fts USING fts5(name, registered_address, content='company', tokenize="unicode61 remove_diacritics 2");
  CREATE VIRTUAL TABLE officer_fts USING fts5(name, content='officer', tokenize="unicode61 remove_diacritics 2");`

export const fillRegister = (path: string, companies: readonly Company[]): void => {
  const database = new Database(path)
  database.pragma('synchronous = OFF')
  database.exec(`${createTables} BEGIN`)
  for (const { number, name, address, logo, officers = [] } of companies) {
    database.prepare('INSERT INTO company VALUES (?, ?, ?, ?)').run(number, name, address ?? null, logo ?? null)
    for (const [index, officer] of officers.entries()) {
      database.prepare('INSERT INTO officer VALUES (NULL, ?, ?, ?)').run(number, index + 1, officer)
    }
  }
  database.exec(
    `INSERT INTO company_fts(company_fts) VALUES ('rebuild'); INSERT INTO officer_fts(officer_fts) VALUES ('rebuild'); COMMIT`,
  )
  database.close()
}

/** A store of its own in a temporary folder. */
export class Register {
  readonly store: Store
  readonly schemas: string
  readonly dataset: string
  readonly #manifests = new Map<Version, Manifest>()
  #versions: Version[] = []
  #state: State

  constructor(dataset = 'offeneregister', root = mkdtempSync(join(tmpdir(), 'register-'))) {
    this.dataset = dataset
    this.store = { root, origin: 'global' }
    this.schemas = join(root, 'schemas')
    mkdirSync(this.schemas, { recursive: true })
    this.#state = emptyState(dataset)
  }

  /** Builds a snapshot with its manifest and changes, and moves the pointer. */
  publish(companies: readonly Company[], over: Partial<Manifest> = {}): Version {
    const version = this.build(companies, over)
    this.point(version)
    return version
  }

  build(companies: readonly Company[], over: Partial<Manifest> = {}): Version {
    const version = nextVersion(new Date('2026-12-01T03:00:00Z'), '0123456789abcdef', this.#versions)
    const folder = snapshotFolder(this.store, this.dataset, version)
    mkdirSync(folder, { recursive: true })
    fillRegister(dataFile(folder), companies)
    const base = this.current
    const officers = companies.reduce((sum, each) => sum + (each.officers?.length ?? 0), 0)
    const counted = tables.map((table) => ({
      ...table,
      rows: table.name === 'company' ? companies.length : officers,
      // Digests that never agree: every table is compared.
      digest: `${version} ${table.name}`,
    }))
    const before = base === undefined ? undefined : this.#manifests.get(base)
    let changes: Manifest['changes'] = {}
    if (before === undefined || base === undefined) writeNoChanges(changesFile(folder))
    else {
      const old = sideOf(before, dataFile(snapshotFolder(this.store, this.dataset, base)))
      changes = compareSnapshots(old, { path: dataFile(folder), tables: counted }, changesFile(folder))
    }
    const manifest: Manifest = { ...this.#facts(version), tables: counted, base: base ?? null, changes, ...over }
    writeFileSync(manifestFile(folder), JSON.stringify(manifest))
    for (const file of [dataFile(folder), changesFile(folder)]) chmodSync(file, 0o444)
    this.#manifests.set(version, manifest)
    this.#versions.push(version)
    return version
  }

  /** Moves the pointer and says so in state.json. */
  point(version: Version, by: 'publish' | 'rollback' = 'publish'): void {
    const move = { version, at: `2026-12-0${this.#state.history.length + 1}T00:00:00.000Z`, by }
    movePointer(this.store, this.dataset, this.#names, version)
    this.writeState({ history: [...this.#state.history, move] })
  }

  writeState(over: Partial<State>): void {
    this.#state = { ...this.#state, ...over }
    mkdirSync(datasetFolder(this.store, this.dataset), { recursive: true })
    writeState(this.store, this.#state)
  }

  /** Takes a version away, as prune does. */
  prune(version: Version): void {
    rmSync(snapshotFolder(this.store, this.dataset, version), { recursive: true })
    this.#versions = this.#versions.filter((each) => each !== version)
  }

  /** Makes a version's manifest one that cannot be read. */
  damage(version: Version): void {
    writeFileSync(manifestFile(snapshotFolder(this.store, this.dataset, version)), '{"format": 1}')
  }

  writeSchema(main: unknown, file = 'schema.mjs'): string {
    const path = join(this.schemas, file)
    writeFileSync(path, `export const main = ${JSON.stringify(main, null, 2)}\n`)
    return path
  }

  remove(): void {
    rmSync(this.store.root, { recursive: true, force: true })
  }

  get current(): Version | undefined {
    const last = this.#state.history.at(-1)?.version
    return this.#versions.find((version) => version === last)
  }

  get #names() {
    const isFirst = this.dataset === 'offeneregister'
    return {
      database: isFirst ? 'openregister.db' : `${this.dataset}.db`,
      aliases: isFirst ? ['offeneregister-companies.db'] : [],
    }
  }

  #facts(version: Version): Manifest {
    return {
      format: 1,
      dataset: this.dataset,
      version,
      title: 'German company register data (OffeneRegister)',
      description: 'Companies and officers.',
      publisher: 'Open Knowledge Foundation',
      homepage: 'https://offeneregister.example',
      licence: {
        name: 'CC BY 4.0',
        url: 'https://creativecommons.org/licenses/by/4.0/',
        attribution: 'OffeneRegister',
      },
      ...this.#names,
      retrievedAt: '2026-12-01T03:00:00.000Z',
      asOf: '2026-11-30',
      buildDate: '2026-12-01T03:01:00.000Z',
      converterVersion: '1',
      fingerprint: 'f',
      contentDigest: '0123456789abcdef',
      file: { sha256: '', bytes: 1 },
      base: null,
      sample: false,
      schedule: { cron: '0 3 * * *', timeZone: 'Europe/Berlin' },
      sources: [],
      tables: [],
      views: [{ name: 'companies', description: 'As documented by FlowMCP.' }],
      fullText: [
        { name: 'company_fts', table: 'company', columns: ['name', 'registered_address'] },
        { name: 'officer_fts', table: 'officer', columns: ['name'] },
      ],
      rejected: 0,
      changes: {},
      warnings: [],
    }
  }
}
