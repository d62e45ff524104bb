/** A store of generated companies, and deliveries in which chosen ones of them differ: what load on a gateway is made with. */
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { runCommand } from '../src/demo/processes.ts'
import type { Store } from '../src/store/layout.ts'
import { companyAt } from './generate-companies.ts'

const dataset = 'offeneregister'

/** The state of each company by its index: how often it has changed. Those not named are as they were at first. */
export type Edition = ReadonlyMap<number, number>

export interface CompanyStore {
  readonly store: Store
  readonly env: NodeJS.ProcessEnv
  readonly pointer: string
  /** URI of a company by its index. */
  uriOf(index: number): string
  /** Where deliveries lie: `publish` leaves the last one here. */
  readonly file: string
  /** Ingests an edition, and returns the version that it became. */
  publish(edition: Edition): Promise<string>
  /** Runs one of our commands to its end. Throws where it fails. */
  run(...args: string[]): Promise<string>
  remove(): Promise<void>
}

/** JSON Lines of so many companies, in their states of an edition. */
export const deliveryOf = (companies: number, edition: Edition): string =>
  Array.from(
    { length: companies },
    (_, index) => `${JSON.stringify(companyInState(index, edition.get(index) ?? 0))}\n`,
  ).join('')

/** The company in its n-th state: a change can be seen in its own row, and in rows that belong to it. */
const companyInState = (index: number, state: number) => {
  const company = companyAt(index, { seed: 1, changed: 0 })
  if (state === 0) return company
  if (state % 2 === 1) return { ...company, name: `${company.name} ${state}` }
  return { ...company, previous_names: [{ company_name: `Vormals ${state} GmbH` }] }
}

/** Makes an empty store for so many companies. */
export const createCompanyStore = async (companies: number): Promise<CompanyStore> => {
  const root = await mkdtemp(join(tmpdir(), 'stichtag-load-'))
  const env = { ...process.env, STICHTAG_HOME: join(root, 'store'), STICHTAG_LOG: 'warn', STICHTAG_JITTER: '0' }
  const pointer = join(root, 'store', 'data', 'openregister.db')
  const file = join(root, 'companies.jsonl')
  const run = async (...args: string[]): Promise<string> => {
    const { status, stdout } = await runCommand(args, env)
    if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`)
    return stdout
  }
  return {
    store: { root: join(root, 'store'), origin: 'global' },
    env,
    pointer,
    file,
    uriOf: (index) => `${dataset}://company/${companyAt(index, { seed: 1, changed: 0 }).company_number}`,
    run,
    publish: async (edition) => {
      writeFileSync(file, deliveryOf(companies, edition))
      await run('ingest', dataset, '--from', file)
      const database = new Database(pointer, { readonly: true })
      try {
        return String(database.prepare("SELECT value FROM meta WHERE key = 'version'").pluck().get())
      } finally {
        database.close()
      }
    },
    remove: () => rm(root, { recursive: true, force: true }),
  }
}
