/** JSON Lines packed by bzip2, with indexes and full text: against unpacking alone, and against the sqlite3 command line. */
import { join } from 'node:path'
import { importCompanies } from '../harness/companies-by-sqlite.ts'
import { companyFile } from '../harness/inputs.ts'
import { interleave } from '../harness/interleave.ts'
import { type Compared, type Line, skippedLine, timesLine } from '../harness/lines.ts'
import { measureShell } from '../harness/measure.ts'
import { hasProgram, missingPrograms } from '../harness/programs.ts'
import { type BenchRow, sized } from '../harness/row.ts'
import { scratchStore } from '../harness/scratch-store.ts'
import { quoted } from '../harness/sqlite-cli.ts'

const sizes = { tiny: 200, reduced: 50_000, full: 200_000 } as const

export const jsonl: BenchRow = {
  name: 'jsonl',
  title: 'JSON Lines of companies, bzip2, with indexes and full text',
  run: async (bench) => {
    const companies = sized(bench, sizes)
    const what = `JSON Lines, ${companies.toLocaleString('en')} companies, bzip2`
    const alone: Compared = { what, against: 'bzip2 -dc alone', goal: { atMost: 1.3 } }
    const missing = missingPrograms('bzip2')
    if (missing !== undefined) return [skippedLine(alone, missing)]
    const file = await companyFile(bench, companies, '.jsonl.bz2')
    // Without lbzip2 the comparison is shown, but says nothing about the goal.
    const decompressor = hasProgram('lbzip2') ? 'lbzip2' : 'bzip2'
    const sides = {
      ours: async () => {
        const store = scratchStore(bench, 'companies-store')
        try {
          return await store.ingest('offeneregister', ['--from', file])
        } finally {
          store.remove()
        }
      },
      bzip2: () => measureShell(`bzip2 -dc ${quoted(file)} > /dev/null`, { signal: bench.signal }),
    }
    const sqlite = () => importCompanies(bench, file, join(bench.work, 'companies.db'), `${decompressor} -dc`)
    const runs = hasProgram('sqlite3')
      ? await interleave(bench.rounds, { ...sides, sqlite })
      : { ...(await interleave(bench.rounds, sides)), sqlite: undefined }
    const lines: Line[] = [timesLine(alone, runs.ours, runs.bzip2)]
    const goal = { atMost: 0.6 }
    const against = `${decompressor} -dc | sqlite3: json_extract, same tables`
    if (runs.sqlite === undefined) lines.push(skippedLine({ what, against, goal }, missingPrograms('sqlite3') ?? ''))
    else {
      const note = missingPrograms('lbzip2')
      const compared: Compared = note === undefined ? { what, against, goal } : { what, against, note }
      lines.push(timesLine(compared, runs.ours, runs.sqlite))
    }
    return lines
  },
}
