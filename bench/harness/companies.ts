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

/** One of several loads of a server, none of which asks for a record that another asked for. */
export interface Turn {
  readonly at: number
  readonly of: number
}

/** Without turns: a thousand records again and again. */
const keysAsked = 1000
/** More than any server answers in a turn, so that none is asked for twice in it. */
const keysOfTurn = 30_000

const numbersOf = (companies: number, turn?: Turn): string[] => {
  const { at, of } = turn ?? { at: 0, of: 1 }
  const count = Math.min(Math.floor(companies / of), turn === undefined ? keysAsked : keysOfTurn)
  return Array.from(
    { length: count },
    (_, index) =>
      companyAt(Math.floor(((index * of + at) * companies) / (count * of)), { seed: 1, changed: 0 }).company_number,
  )
}

type Asked = Omit<Asking, 'era'>

/** Whole records by URI. */
export const recordReads = (companies: number, turn?: Turn): Asked => ({
  method: 'resources/read',
  asked: numbersOf(companies, turn).map((number) => ({
    params: { uri: `offeneregister://company/${number}` },
    expects: number,
  })),
})

export interface QueryNames {
  readonly tool: string
  readonly parameter: string
}

const ourNames: QueryNames = { tool: 'getByNumber_offeneregister', parameter: 'companyNumber' }

/** A query by key, named as the server names it. */
export const keyedQueries = (companies: number, turn?: Turn, { tool, parameter } = ourNames): Asked => ({
  method: 'tools/call',
  asked: numbersOf(companies, turn).map((number) => ({
    params: { name: tool, arguments: { [parameter]: number } },
    expects: number,
  })),
})

/** The same texts to a tool that does nothing but say them. */
export const echoes = (companies: number, turn?: Turn): Asked =>
  keyedQueries(companies, turn, { tool: 'echo', parameter: 'text' })

/** The same texts as resources that are nothing else. */
export const echoReads = (companies: number, turn?: Turn): Asked => ({
  method: 'resources/read',
  asked: numbersOf(companies, turn).map((number) => ({ params: { uri: `bare://${number}` }, expects: number })),
})
