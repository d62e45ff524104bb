/** The same look-ups against other people's servers on the same file: dbhub and MCP Toolbox. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { companyStore, keyedQueries, recordReads, type Turn } from '../harness/companies.ts'
import { interleave } from '../harness/interleave.ts'
import { type Compared, type Line, ratesLine, skippedLine } from '../harness/lines.ts'
import { rateOf } from '../harness/load.ts'
import { missingPeer, type Peer, peerEntry, peers } from '../harness/peers.ts'
import { type Bench, type BenchRow, sized } from '../harness/row.ts'
import { freePort, type Server, startOurs, startServer } from '../harness/servers.ts'

const sizes = { tiny: 100, reduced: 100_000, full: 1_000_000 } as const

/** The statement of our schema's query. */
const statement = 'SELECT * FROM companies WHERE company_number = ?'

const startDbhub = async (bench: Bench, entry: string, database: string): Promise<Server> => {
  const config = join(bench.work, 'dbhub.toml')
  writeFileSync(
    config,
    `[[sources]]
id = "register"
dsn = "sqlite://${database}"

[[tools]]
name = "get_by_number"
description = "One company by its number."
source = "register"
readonly = true
statement = "${statement}"

[[tools.parameters]]
name = "companyNumber"
type = "string"
description = "Number of the company."
`,
  )
  const port = await freePort()
  return startServer(bench, {
    program: process.execPath,
    args: [entry, '--transport', 'http', '--host', '127.0.0.1', '--port', String(port), '--config', config],
    port,
    cwd: bench.work,
  })
}

const startToolbox = async (bench: Bench, entry: string, database: string): Promise<Server> => {
  const config = join(bench.work, 'tools.yaml')
  writeFileSync(
    config,
    `kind: source
name: register
type: sqlite
database: ${database}
---
kind: tool
name: get_by_number
type: sqlite-sql
source: register
description: One company by its number.
statement: ${statement}
parameters:
  - name: companyNumber
    type: string
    description: Number of the company.
`,
  )
  const port = await freePort()
  return startServer(bench, {
    program: entry,
    args: [
      ...['--config', config, '--address', '127.0.0.1', '--port', String(port)],
      ...['--disable-version-check', '--disable-reload', '--log-level', 'ERROR'],
    ],
    port,
    cwd: bench.work,
  })
}

const others = [
  { peer: peers.dbhub, start: startDbhub, goal: 2 },
  { peer: peers.toolbox, start: startToolbox, goal: 1 },
] as const

const against = async (
  bench: Bench,
  ours: Server,
  theirs: Server,
  { peer, goal, companies }: { readonly peer: Peer; readonly goal: number; readonly companies: number },
): Promise<Line[]> => {
  const lines: Line[] = []
  const names = { tool: 'get_by_number', parameter: 'companyNumber' }
  const eras = ['legacy', 'modern'] as const
  for (const [index, era] of eras.entries()) {
    const turn = (round: number): Turn => ({ at: index * bench.rounds + round, of: eras.length * bench.rounds })
    // None of them is known to keep answers; ours does, so that it is asked for new ones.
    const rates = await interleave(bench.rounds, {
      query: (round) => rateOf(bench, ours, { era, ...keyedQueries(companies, turn(round)) }),
      theirs: (round) => rateOf(bench, theirs, { era, ...keyedQueries(companies, turn(round), names) }),
      read: (round) => rateOf(bench, ours, { era, ...recordReads(companies, turn(round)) }),
    })
    const compared = (words: string): Compared => ({
      what: `${words}, each key new, ${era}, ${companies.toLocaleString('en')} companies`,
      against: `${peer.name} ${peer.version}, keyed query`,
      goal: { atLeast: goal },
    })
    lines.push(ratesLine(compared('keyed query'), rates.query, rates.theirs))
    lines.push(ratesLine(compared('record read'), rates.read, rates.theirs))
  }
  return lines
}

export const otherServers: BenchRow = {
  name: 'peers',
  title: 'The same look-ups against dbhub and MCP Toolbox, 16 connections',
  run: async (bench) => {
    const companies = sized(bench, sizes)
    const lines: Line[] = []
    for (const { peer, start, goal } of others) {
      const entry = peerEntry(bench, peer)
      if (entry === undefined) {
        const compared = { what: 'keyed query and record read', against: peer.name, goal: { atLeast: goal } }
        lines.push(skippedLine(compared, missingPeer(peer)))
        continue
      }
      const store = await companyStore(bench, companies)
      const ours = await startOurs(bench, store.env, store.root)
      try {
        const theirs = await start(bench, entry, store.data('offeneregister'))
        try {
          lines.push(...(await against(bench, ours, theirs, { peer, goal, companies })))
        } finally {
          await theirs.stop()
        }
      } finally {
        await ours.stop()
      }
    }
    return lines
  },
}
