/** Record read and keyed query over HTTP, in each era, against a bare server of the SDK with one tool that echoes. */
import { companyStore, echoes, echoReads, keyedQueries, recordReads } from '../harness/companies.ts'
import { interleave } from '../harness/interleave.ts'
import { type Line, ratesLine } from '../harness/lines.ts'
import { rateOf } from '../harness/load.ts'
import { type BenchRow, sized } from '../harness/row.ts'
import { startBare, startOurs } from '../harness/servers.ts'

const sizes = { tiny: [100], reduced: [1_000], full: [1_000, 5_000_000] } as const

export const serve: BenchRow = {
  name: 'serve',
  title: 'Record read and keyed query over HTTP, 16 connections',
  run: async (bench) => {
    const lines: Line[] = []
    for (const companies of sized<readonly number[]>(bench, sizes)) {
      const store = await companyStore(bench, companies)
      const ours = await startOurs(bench, store.env, store.root)
      const bare = await startBare(bench)
      try {
        for (const era of ['legacy', 'modern'] as const) {
          const rates = await interleave(bench.rounds, {
            read: () => rateOf(bench, ours, { era, ...recordReads(companies) }),
            echo: () => rateOf(bench, bare, { era, ...echoes(companies) }),
            echoRead: () => rateOf(bench, bare, { era, ...echoReads(companies) }),
            query: () => rateOf(bench, ours, { era, ...keyedQueries(companies) }),
          })
          const what = (words: string): string => `${words}, ${era}, ${companies.toLocaleString('en')} companies`
          const goal = { atLeast: 0.9 }
          lines.push(
            ratesLine({ what: what('record read'), against: 'bare SDK, echo', goal }, rates.read, rates.echo),
            ratesLine({ what: what('keyed query'), against: 'bare SDK, echo', goal }, rates.query, rates.echo),
            ratesLine({ what: what('record read'), against: 'bare SDK, resource' }, rates.read, rates.echoRead),
          )
        }
      } finally {
        await Promise.all([ours.stop(), bare.stop()])
      }
    }
    return lines
  },
}
