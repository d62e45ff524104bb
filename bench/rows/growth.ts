/** How the cost of ingest grows with the rows there are. Notification and look-ups by size are rows of their own. */
import { csvFile } from '../harness/inputs.ts'
import { interleave, median } from '../harness/interleave.ts'
import { figure, type Line, seenLine } from '../harness/lines.ts'
import { type BenchRow, sized } from '../harness/row.ts'
import { rowsPipeline, scratchStore, writePipeline } from '../harness/scratch-store.ts'
import { twoIndexes } from './csv.ts'

const sizes = { tiny: [500, 1_000], reduced: [100_000, 1_000_000], full: [100_000, 1_000_000, 5_000_000] } as const

export const growth: BenchRow = {
  name: 'growth',
  title: 'How the cost of ingest grows',
  run: async (bench) => {
    const counts = sized<readonly number[]>(bench, sizes)
    const files = new Map<number, string>()
    for (const count of counts) files.set(count, await csvFile(bench, count))
    const rounds = sized(bench, { tiny: 1, reduced: 2, full: 3 })
    const runs = await interleave(
      rounds,
      Object.fromEntries(
        counts.map((count) => [
          String(count),
          async () => {
            const store = scratchStore(bench, 'growth-store')
            try {
              writePipeline(store, 'rows', rowsPipeline({ indexes: twoIndexes }))
              return await store.ingest('rows', ['--from', files.get(count) ?? ''])
            } finally {
              store.remove()
            }
          },
        ]),
      ),
    )
    const timeOf = (count: number): number => median((runs[String(count)] ?? []).map(({ seconds }) => seconds))
    return counts.map((count, index): Line => {
      const before = counts[index - 1]
      const perRow = (timeOf(count) * 1e6) / count
      // What each further row costs, without what a run costs whatever its size.
      const further = before === undefined ? Number.NaN : ((timeOf(count) - timeOf(before)) * 1e6) / (count - before)
      return seenLine(
        `ingest, CSV, two indexes, ${count.toLocaleString('en')} rows`,
        'rows',
        `${figure(timeOf(count))} s`,
        {
          ratio: `${figure(perRow)} µs a row${before === undefined ? '' : `, ${figure(further)} µs each further one`}`,
        },
      )
    })
  },
}
