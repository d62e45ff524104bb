/** From the start of the process to the first answer: `serve` with ten datasets, against bare Node with the SDK. */
import { companyFile } from '../harness/inputs.ts'
import { interleave } from '../harness/interleave.ts'
import { type Line, timesLine } from '../harness/lines.ts'
import { cpuSecondsOf } from '../harness/measure.ts'
import { type BenchRow, sized } from '../harness/row.ts'
import { scratchStore } from '../harness/scratch-store.ts'
import { type Server, startBare, startOurs } from '../harness/servers.ts'

const datasets = [
  ...['companieshouse', 'eufsf', 'gleif', 'gtfsde', 'gtfsde-fv', 'gtfsde-nv'],
  ...['gtfsde-rv', 'ofacsdn', 'opensanctions', 'unsc'],
]
/** Companies in the one dataset that is of some size. */
const sizes = { tiny: 0, reduced: 20_000, full: 1_000_000 } as const

const started = async (server: Promise<Server>): Promise<{ readonly seconds: number; readonly cpuSeconds: number }> => {
  const { startMs, stop, processId } = await server
  const cpuSeconds = cpuSecondsOf(processId)
  await stop()
  return { seconds: startMs / 1000, cpuSeconds }
}

export const start: BenchRow = {
  name: 'start',
  title: 'Start of serve with ten datasets, until the first answer',
  run: async (bench) => {
    const store = scratchStore(bench, 'ten-datasets')
    for (const dataset of datasets) await store.ingest(dataset, ['--sample'])
    const lines: Line[] = []
    const rounds = Math.max(bench.rounds, sized(bench, { tiny: 1, reduced: 5, full: 10 }))
    const line = async (what: string): Promise<void> => {
      const runs = await interleave(rounds, {
        ours: () => started(startOurs(bench, store.env, store.root)),
        theirs: () => started(startBare(bench)),
      })
      lines.push(timesLine({ what, against: 'bare SDK server', goal: { atMost: 2 } }, runs.ours, runs.theirs))
    }
    await line('start of serve, ten small datasets')
    const companies = sized(bench, sizes)
    if (companies > 0) {
      await store.ingest('offeneregister', ['--from', await companyFile(bench, companies, '.jsonl')])
      await line(`start of serve, and one of ${companies.toLocaleString('en')} companies beside them`)
    }
    store.remove()
    return lines
  },
}
