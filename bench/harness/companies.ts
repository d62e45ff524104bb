/** Stores of generated companies, each made once a run however many rows need it, and what is asked of them. */
import { companyAt } from '../generate-companies.ts'
import { companyFile } from './inputs.ts'
import type { Asking } from './load.ts'
import type { Bench } from './row.ts'
import { type ScratchStore, scratchStore } from './scratch-store.ts'

const stores = new Map<string, Promise<ScratchStore>>()

/** The store of so many companies. Removed with the run's folder. */
export const companyStore = (bench: Bench, companies: number): Promise<ScratchStore> => {
  const name = `companies-${companies}`
  const known = stores.get(name)
  if (known !== undefined) return known
  const making = (async () => {
    const file = await companyFile(bench, companies, '.jsonl')
    bench.say(`ingesting ${companies.toLocaleString('en')} companies`)
    const store = scratchStore(bench, name)
    await store.ingest('offeneregister', ['--from', file])
    return store
  })()
  stores.set(name, making)
  return making
}

/** So many that no answer is one that was just given. */
const keysAsked = 1000

const numbersOf = (companies: number): string[] => {
  const count = Math.min(companies, keysAsked)
  return Array.from(
    { length: count },
    (_, index) => companyAt(Math.floor((index * companies) / count), { seed: 1, changed: 0 }).company_number,
  )
}

type Asked = Omit<Asking, 'era'>

/** Whole records by URI. */
export const recordReads = (companies: number): Asked => ({
  method: 'resources/read',
  asked: numbersOf(companies).map((number) => ({
    params: { uri: `offeneregister://company/${number}` },
    expects: number,
  })),
})

/** A query of the schema, by key; `tool` and `parameter` as the server names them. */
export const keyedQueries = (
  companies: number,
  tool = 'getByNumber_offeneregister',
  parameter = 'companyNumber',
): Asked => ({
  method: 'tools/call',
  asked: numbersOf(companies).map((number) => ({
    params: { name: tool, arguments: { [parameter]: number } },
    expects: number,
  })),
})

/** The same texts to a tool that does nothing but say them. */
export const echoes = (companies: number): Asked => ({
  method: 'tools/call',
  asked: numbersOf(companies).map((number) => ({
    params: { name: 'echo', arguments: { text: number } },
    expects: number,
  })),
})

/** The same texts as resources that are nothing else. */
export const echoReads = (companies: number): Asked => ({
  method: 'resources/read',
  asked: numbersOf(companies).map((number) => ({ params: { uri: `bare://${number}` }, expects: number })),
})
