/** Peak memory of ingest, all processes together, at sizes that are far apart. */
import { statSync } from 'node:fs'
import { freeBytes } from '../harness/free-space.ts'
import { companyFile, csvFile } from '../harness/inputs.ts'
import { boundLine, figure, type Line, skippedLine } from '../harness/lines.ts'
import { type BenchRow, sized } from '../harness/row.ts'
import { rowsPipeline, type ScratchStore, scratchStore, writePipeline } from '../harness/scratch-store.ts'
import { twoIndexes } from './csv.ts'

/** Rows of a hundred bytes: 0.1 and 10 GB in full. */
const rowSizes = { tiny: [500, 1_000], reduced: [100_000, 1_000_000], full: [1_000_000, 100_000_000] } as const
/** Lines of eight hundred bytes. */
const companySizes = { tiny: [100, 200], reduced: [10_000, 100_000], full: [100_000, 1_000_000] } as const

const goal = { atMost: 400 } as const
/** Input, snapshot with its indexes, and the second thread's rows before they are merged. */
const spaceFactor = 4
const bytesPerRow = 105

export const memory: BenchRow = {
  name: 'memory',
  title: 'Peak memory of ingest',
  run: async (bench) => {
    const lines: Line[] = []
    const measured = async (
      dataset: string,
      words: string,
      file: string,
      prepare?: (store: ScratchStore) => void,
    ): Promise<void> => {
      const store = scratchStore(bench, 'memory-store')
      try {
        prepare?.(store)
        bench.say(`ingesting ${words}`)
        const { peakMiB, seconds } = await store.ingest(dataset, ['--from', file])
        const what = `memory, ${words}, ${figure(statSync(file).size / 1e9)} GB`
        const note = `in ${figure(seconds)} s`
        lines.push(boundLine({ what, against: 'file size', goal, note }, 'MiB', [peakMiB]))
      } finally {
        store.remove()
      }
    }
    for (const count of sized<readonly number[]>(bench, rowSizes)) {
      const words = `CSV, ${count.toLocaleString('en')} rows, two indexes`
      const needed = count * bytesPerRow * spaceFactor
      if (freeBytes(bench) < needed) {
        const why = `it needs ${figure(needed / 1e9)} GB of free disk; name a folder that has them by --folder`
        lines.push(skippedLine({ what: `memory, ${words}`, against: 'file size' }, why))
        continue
      }
      const file = await csvFile(bench, count)
      await measured('rows', words, file, (store) =>
        writePipeline(store, 'rows', rowsPipeline({ indexes: twoIndexes })),
      )
    }
    for (const count of sized<readonly number[]>(bench, companySizes)) {
      const file = await companyFile(bench, count, '.jsonl')
      await measured('offeneregister', `JSON Lines with full text, ${count.toLocaleString('en')} companies`, file)
    }
    return lines
  },
}
