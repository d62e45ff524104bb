/** A plain CSV file, without indexes and with two, against the sqlite3 command line. */
import { join } from 'node:path'
import { csvFile } from '../harness/inputs.ts'
import { interleave } from '../harness/interleave.ts'
import { type Compared, type Line, skippedLine, timesLine } from '../harness/lines.ts'
import { missingPrograms } from '../harness/programs.ts'
import { type BenchRow, sized } from '../harness/row.ts'
import { rowsPipeline, scratchStore, writePipeline } from '../harness/scratch-store.ts'
import { importRows } from '../harness/sqlite-cli.ts'

const sizes = { tiny: 1_000, reduced: 500_000, full: 2_000_000 } as const

/** Two indexes as people make them: one of nearly as many values as rows, one of few. */
export const twoIndexes = [['name'], ['town', 'postcode']] as const

export const csv: BenchRow = {
  name: 'csv',
  title: 'A plain CSV file of eight columns',
  run: async (bench) => {
    const count = sized(bench, sizes)
    const file = await csvFile(bench, count)
    const lines: Line[] = []
    for (const [indexes, goal, words] of [
      [[], 1.1, 'no indexes'],
      [twoIndexes, 0.85, 'two indexes'],
    ] as const) {
      const compared: Compared = {
        what: `CSV, ${count.toLocaleString('en')} rows, ${words}`,
        against: indexes.length === 0 ? 'sqlite3: .import' : 'sqlite3: .import, CREATE INDEX',
        goal: { atMost: goal },
      }
      const missing = missingPrograms('sqlite3')
      if (missing !== undefined) {
        lines.push(skippedLine(compared, missing))
        continue
      }
      const runs = await interleave(bench.rounds, {
        ours: async () => {
          const store = scratchStore(bench, 'rows-store')
          try {
            writePipeline(store, 'rows', rowsPipeline({ indexes }))
            return await store.ingest('rows', ['--from', file])
          } finally {
            store.remove()
          }
        },
        theirs: () => importRows(bench, file, join(bench.work, 'rows.db'), indexes),
      })
      lines.push(timesLine(compared, runs.ours, runs.theirs))
    }
    return lines
  },
}
