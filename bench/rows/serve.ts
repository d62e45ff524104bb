/**
 * Record read and keyed query over HTTP, in each era, against a bare server of the SDK with one tool that echoes: of a thousand
 * records again and again, most of whose answers were given before, and of records none of which was asked for before.
 */
import { companyStore, echoes, echoReads, keyedQueries, recordReads, type Turn } from '../harness/companies.ts'
import { interleave } from '../harness/interleave.ts'
import { type Line, ratesLine } from '../harness/lines.ts'
import { rateOf } from '../harness/load.ts'
import { type Bench, type BenchRow, sized } from '../harness/row.ts'
import { type Server, startBare, startOurs } from '../harness/servers.ts'

const sizes = { tiny: [100], reduced: [1_000], full: [1_000, 5_000_000] } as const
const newKeySizes = { tiny: 100, reduced: 100_000, full: 5_000_000 } as const

const eras = ['legacy', 'modern'] as const
const goal = { atLeast: 0.9 }

interface Sides {
  readonly ours: Server
  readonly bare: Server
  readonly companies: number
}

const askedAgain = async (bench: Bench, { ours, bare, companies }: Sides): Promise<Line[]> => {
  const lines: Line[] = []
  for (const era of eras) {
    const rates = await interleave(bench.rounds, {
      read: () => rateOf(bench, ours, { era, ...recordReads(companies) }),
      echo: () => rateOf(bench, bare, { era, ...echoes(companies) }),
      echoRead: () => rateOf(bench, bare, { era, ...echoReads(companies) }),
      query: () => rateOf(bench, ours, { era, ...keyedQueries(companies) }),
    })
    const what = (words: string): string => `${words}, ${era}, ${companies.toLocaleString('en')} companies`
    lines.push(
      ratesLine({ what: what('record read'), against: 'bare SDK, echo', goal }, rates.read, rates.echo),
      ratesLine({ what: what('keyed query'), against: 'bare SDK, echo', goal }, rates.query, rates.echo),
      ratesLine({ what: what('record read'), against: 'bare SDK, resource' }, rates.read, rates.echoRead),
    )
  }
  return lines
}

const eachKeyNew = async (bench: Bench, { ours, bare, companies }: Sides): Promise<Line[]> => {
  const lines: Line[] = []
  for (const [index, era] of eras.entries()) {
    const turn = (round: number): Turn => ({ at: index * bench.rounds + round, of: eras.length * bench.rounds })
    const rates = await interleave(bench.rounds, {
      read: (round) => rateOf(bench, ours, { era, ...recordReads(companies, turn(round)) }),
      echo: (round) => rateOf(bench, bare, { era, ...echoes(companies, turn(round)) }),
      query: (round) => rateOf(bench, ours, { era, ...keyedQueries(companies, turn(round)) }),
    })
    const what = (words: string): string =>
      `${words}, each key new, ${era}, ${companies.toLocaleString('en')} companies`
    lines.push(
      ratesLine({ what: what('record read'), against: 'bare SDK, echo', goal }, rates.read, rates.echo),
      ratesLine({ what: what('keyed query'), against: 'bare SDK, echo', goal }, rates.query, rates.echo),
    )
  }
  return lines
}

/** Lines of servers that are started for them: what one load leaves in them is no other's. */
const served = async (
  bench: Bench,
  companies: number,
  linesOf: (bench: Bench, sides: Sides) => Promise<Line[]>,
): Promise<Line[]> => {
  const store = await companyStore(bench, companies)
  const ours = await startOurs(bench, store.env, store.root)
  const bare = await startBare(bench)
  try {
    return await linesOf(bench, { ours, bare, companies })
  } finally {
    await Promise.all([ours.stop(), bare.stop()])
  }
}

export const serve: BenchRow = {
  name: 'serve',
  title: 'Record read and keyed query over HTTP, 16 connections',
  run: async (bench) => {
    const lines: Line[] = []
    for (const companies of sized<readonly number[]>(bench, sizes))
      lines.push(...(await served(bench, companies, askedAgain)))
    lines.push(...(await served(bench, sized(bench, newKeySizes), eachKeyNew)))
    return lines
  },
}
