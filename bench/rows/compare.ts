/** Compare of two snapshots of which one in a hundred rows differs, against a bare EXCEPT both ways in SQLite. */
import { dirname, join } from 'node:path'
import { csvFile } from '../harness/inputs.ts'
import { interleave } from '../harness/interleave.ts'
import { type Compared, skippedLine, timesLine } from '../harness/lines.ts'
import { measure } from '../harness/measure.ts'
import { missingPrograms } from '../harness/programs.ts'
import { type BenchRow, sized } from '../harness/row.ts'
import { rowsPipeline, scratchStore, writePipeline } from '../harness/scratch-store.ts'
import { runSqliteOn } from '../harness/sqlite-cli.ts'

const sizes = { tiny: 1_000, reduced: 500_000, full: 5_000_000 } as const
const changedShare = 0.01

const script = join(import.meta.dirname, '..', 'compare-once.ts')

export const compare: BenchRow = {
  name: 'compare',
  title: 'Compare of two snapshots, 1 % changed',
  run: async (bench) => {
    const count = sized(bench, sizes)
    const compared: Compared = {
      what: `compare, ${count.toLocaleString('en')} records`,
      against: 'sqlite3: EXCEPT both ways',
      goal: { atMost: 1 },
    }
    const missing = missingPrograms('sqlite3')
    if (missing !== undefined) return [skippedLine(compared, missing)]
    const paths: string[] = []
    for (const [name, changed] of [
      ['older', 0],
      ['newer', changedShare],
    ] as const) {
      const store = scratchStore(bench, name)
      writePipeline(store, 'rows', rowsPipeline({ key: ['id'] }))
      await store.ingest('rows', ['--from', await csvFile(bench, count, changed)])
      paths.push(store.data('rows'))
    }
    const [older = '', newer = ''] = paths
    const except = (from: string, without: string): string =>
      `SELECT count(*) FROM (SELECT * FROM ${from}.rows EXCEPT SELECT * FROM ${without}.rows);`
    const runs = await interleave(bench.rounds, {
      ours: () =>
        measure(process.execPath, [script, dirname(older), dirname(newer), join(bench.work, 'changes.db')], {
          signal: bench.signal,
        }),
      theirs: () =>
        runSqliteOn(bench, newer, [`ATTACH '${older}' AS older;`, except('main', 'older'), except('older', 'main')]),
    })
    const counted = `${runs.ours.at(-1)?.stdout.trim()}; theirs ${runs.theirs.at(-1)?.stdout.trim().replace('\n', ' and ')}`
    return [timesLine({ ...compared, note: counted }, runs.ours, runs.theirs)]
  },
}
