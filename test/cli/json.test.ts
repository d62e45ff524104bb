/** `--json` of every command: one document on stdout and nothing else there, also where it fails (DESIGN §4.3). */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { main } from '../../src/demo/processes.ts'
import { packageRoot } from '../../src/package-root.ts'
import { type CommandLine, commandLine } from './stichtag.ts'

const company = 'offeneregister://company/K1101R_HRB150148'
const sample = (date: string): string =>
  join(packageRoot, 'data', 'offeneregister', date, 'de_companies_ocdata.jsonl.bz2')

let here: CommandLine
let versions: string[] = []
beforeAll(() => {
  here = commandLine()
  for (const date of ['2026-10-01', '2026-11-01']) here.run(['ingest', 'offeneregister', '--from', sample(date)])
  versions = readdirSync(join(here.folder, 'home', 'data', 'snapshots', 'offeneregister'))
    .filter((name) => /^\d/.test(name))
    .sort()
  writeFileSync(
    join(here.folder, 'bad.mjs'),
    "export const main = { namespace: 'bad', version: '3.0.0', resources: [] }",
  )
  mkdirSync(join(here.folder, 'pipelines', 'broken'), { recursive: true })
  writeFileSync(join(here.folder, 'pipelines', 'broken', 'index.mjs'), 'export default (kit =>')
})
afterAll(() => here.remove())

const document = (...args: string[]): unknown => JSON.parse(here.run([...args, '--json']).stdout)

const version = z.string().regex(/^\d{8}T\d{6}Z-[0-9a-f]{8}$/)
const instant = z.iso.datetime()
const count = z.int().min(0)
const outcome = z.enum(['published', 'unchanged', 'refused', 'failed', 'busy'])
const reason = z.strictObject({ code: z.string().regex(/^[A-Z_]+$/), message: z.string().min(1) })
const rows = z.record(z.string(), count)
const value = z.union([z.string(), z.number(), z.null(), z.strictObject({ base64: z.string() })])

const result = z.strictObject({
  dataset: z.string(),
  outcome,
  version: version.nullable(),
  previous: version.nullable(),
  rows,
  rejected: count,
  changes: z.record(z.string(), z.strictObject({ added: count, removed: count, changed: count })),
  seconds: z.number().min(0),
  reason: reason.optional(),
})
const state = z.enum(['failing', 'expired', 'frozen', 'stale', 'due', 'current', 'missing'])

const contracts = {
  ingest: z.array(result).min(1),
  status: z
    .array(
      z.strictObject({
        dataset: z.string(),
        state,
        version: version.nullable(),
        asOf: z.union([instant, z.iso.date()]).nullable(),
        nextRun: instant.nullable(),
        lastRun: z.strictObject({ outcome, at: instant, reason: reason.optional() }).nullable(),
      }),
    )
    .min(1),
  snapshots: z
    .array(
      z.strictObject({
        version,
        current: z.boolean(),
        rows,
        bytes: z.int().min(1),
        pinned: z.literal(true).optional(),
      }),
    )
    .min(1),
  diff: z
    .array(
      z.strictObject({
        table: z.string(),
        key: z.array(value),
        op: z.enum(['added', 'removed', 'changed']),
        fields: z.record(z.string(), z.tuple([value, value])).optional(),
      }),
    )
    .min(1),
  validate: z
    .array(
      z.strictObject({
        file: z.string(),
        rule: z.string(),
        severity: z.enum(['error', 'warning']),
        path: z.string(),
        message: z.string().min(1),
      }),
    )
    .min(1),
}

describe('the document of a command that does what it should', () => {
  it.each([
    ['ingest, with a new snapshot', 'ingest', ['ingest', 'offeneregister', '--from', 'SAMPLE', '--force']],
    ['ingest of a pipeline that cannot be loaded', 'ingest', ['ingest', 'broken']],
    ['ingest of a dataset that nobody knows', 'ingest', ['ingest', 'nope']],
    ['ingest of a file that is not there', 'ingest', ['ingest', 'offeneregister', '--from', 'none']],
    ['status', 'status', ['status']],
    ['status of a dataset that was never run', 'status', ['status', 'unsc']],
    ['snapshots', 'snapshots', ['snapshots', 'offeneregister']],
    ['diff', 'diff', ['diff', 'offeneregister']],
    ['validate', 'validate', ['validate', 'bad.mjs', 'missing.mjs']],
  ] as const)('%s is as the contract has it', (_, contract, args) => {
    const words = args.map((word) => (word === 'SAMPLE' ? sample('2026-11-01') : word))
    expect(contracts[contract].safeParse(document(...words)).error).toBeUndefined()
  })

  it('is the version where that is asked for', () => {
    expect(document('--version')).toEqual({ version: expect.stringMatching(/^\d+\.\d+\.\d+/) })
  })

  it('has null where there is nothing', () => {
    expect(document('status', 'unsc')).toEqual([
      { dataset: 'unsc', state: 'missing', version: null, asOf: null, nextRun: null, lastRun: null },
    ])
    expect(document('ingest', 'nope')).toMatchObject([{ version: null, previous: null, changes: {} }])
  })

  it.each([
    ['read', ['read', company], { uri: company, record: { company_number: 'K1101R_HRB150148' } }],
    ['read with a sheet', ['read', 'offeneregister://dataset'], { contents: [{ mimeType: 'text/markdown' }] }],
    ['query', ['query', 'offeneregister', 'getByNumber', 'companyNumber=K1101R_HRB150148'], { rowCount: 1 }],
    ['prune', ['prune'], [{ dataset: 'offeneregister', removed: [] }]],
    ['doctor', ['doctor'], []],
    ['install-host', ['install-host', 'claude-code'], { host: 'claude-code', written: false }],
    ['ingest --dry-run', ['ingest', 'offeneregister', '--dry-run'], [{ dataset: 'offeneregister' }]],
  ])('%s is one', (_, args, expected) => {
    expect(document(...args)).toMatchObject(expected)
  })

  it('tells of moves where the pointer was and is', () => {
    const [older = '', newer = ''] = versions
    expect(document('rollback', 'offeneregister')).toEqual({
      dataset: 'offeneregister',
      version: older,
      previous: newer,
    })
    expect(document('release', 'offeneregister', newer)).toMatchObject({ version: newer, previous: older })
  })
})

describe('the document of a command that fails', () => {
  it.each([
    ['an unknown command', ['publish'], 'USAGE', 2],
    ['an unknown option', ['ingest', '--fast'], 'USAGE', 2],
    ['ingest without a dataset', ['ingest'], 'USAGE', 2],
    ['schedule of nobody knows what', ['schedule', '--datasets', 'nope'], 'UNKNOWN_DATASET', 2],
    ['serve without a way to', ['serve'], 'USAGE', 2],
    ['status of nobody knows what', ['status', 'nope'], 'UNKNOWN_DATASET', 2],
    ['snapshots of nobody knows what', ['snapshots', 'nope'], 'UNKNOWN_DATASET', 2],
    ['diff of a version that is not kept', ['diff', 'offeneregister', 'x'], 'UNKNOWN_VERSION', 3],
    ['rollback of a dataset without snapshots', ['rollback', 'unsc'], 'UNKNOWN_DATASET', 2],
    ['release of a version that is not held', ['release', 'offeneregister', 'x'], 'UNKNOWN_VERSION', 3],
    ['prune of nobody knows what', ['prune', 'nope'], 'UNKNOWN_DATASET', 2],
    ['doctor of nobody knows what', ['doctor', 'nope'], 'UNKNOWN_DATASET', 2],
    ['read of a record that is not there', ['read', 'offeneregister://company/nobody'], 'NOT_FOUND', 3],
    ['query of nobody knows what', ['query', 'nope', 'getSchema'], 'UNKNOWN_DATASET', 2],
    ['an unknown query', ['query', 'offeneregister', 'getByNumbr'], 'USAGE', 2],
    ['an unknown parameter', ['query', 'offeneregister', 'getSchema', 'x=1'], 'ARGUMENTS_INVALID', 2],
    [
      'a number of rows below none',
      ['query', 'offeneregister', 'searchCompanies', 'query=a', 'limit=-5'],
      'ARGUMENTS_INVALID',
      2,
    ],
    ['half a row', ['query', 'offeneregister', 'freeQuery', 'sql=SELECT 1', 'limit=1.5'], 'ARGUMENTS_INVALID', 2],
    ['a parameter that is given twice', ['query', 'offeneregister', 'getSchema', 'x=1', 'x=2'], 'USAGE', 2],
    ['a statement that fails', ['query', 'offeneregister', 'freeQuery', 'sql=SELECT nothing'], 'QUERY_FAILED', 3],
    ['watch of what can never be', ['watch', 'nope'], 'NOT_FOUND', 3],
    ['an unknown host', ['install-host', 'nope'], 'USAGE', 2],
    ['validate of nothing', ['validate'], 'USAGE', 2],
    ['demo with words after it', ['demo', 'nope'], 'USAGE', 2],
  ])('is the error, and people read it on stderr: %s', (_, args, code, status) => {
    const ended = here.run([...args, '--json'])
    expect(JSON.parse(ended.stdout)).toEqual({ error: { code, message: expect.stringMatching(/\S/) } })
    expect(ended.stdout.trimEnd().split('\n')).toHaveLength(1)
    expect(ended.stderr).not.toBe('')
    expect(ended.stderr).not.toContain('    at ')
    expect(ended.status).toBe(status)
  })

  it('is not there without --json: nothing is on stdout then', () => {
    expect(here.run(['status', 'nope'])).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/^UNKNOWN_DATASET: .*There are: .*offeneregister/),
    })
  })

  it('names what was probably meant', () => {
    expect(here.run(['ingest', 'ofeneregister']).stderr).toContain('Did you mean offeneregister?')
    expect(here.run(['query', 'offeneregister', 'getByNumbr']).stderr).toContain('Did you mean getByNumber?')
    expect(here.run(['igest']).stderr).toContain('Did you mean ingest?')
  })
})

describe('exit statuses of several', () => {
  const good = ['ingest', 'offeneregister']

  it('2 before 3: a dataset that nobody knows beside one whose pipeline is broken', () => {
    const { status, stdout } = here.run(['ingest', 'broken', 'nope', '--json'])
    expect(status).toBe(2)
    expect(contracts.ingest.parse(JSON.parse(stdout)).map(({ reason }) => reason?.code)).toEqual([
      'PIPELINE_INVALID',
      'UNKNOWN_DATASET',
    ])
  })

  it('3 before 4: a broken pipeline beside a refused delivery, which is 4 alone', () => {
    const settings = { STICHTAG_HOME: join(here.folder, 'real') }
    const line = JSON.stringify({ company_number: 'X_1', name: 'Erfunden', jurisdiction_code: 'de' })
    writeFileSync(join(here.folder, 'one.jsonl'), line)
    here.run([...good, '--from', 'one.jsonl'], settings)
    // A sample never replaces what is not one.
    expect(here.run([...good, '--sample'], settings).status).toBe(4)
    expect(here.run([...good, 'broken', '--sample'], settings).status).toBe(3)
  })

  it('2 for a cron that is none, before anything is run', () => {
    const settings = { STICHTAG_CRON_UNSC: 'nonsense' }
    const ended = here.run(['ingest', 'unsc', 'offeneregister', '--sample', '--json'], settings)
    expect(JSON.parse(ended.stdout)).toMatchObject({
      error: { code: 'USAGE', message: expect.stringContaining('unsc') },
    })
    expect(ended.status).toBe(2)
  })
})

describe('the document of a daemon', () => {
  /** The first document, before the daemon is told to end. */
  const firstOf = async (...args: string[]): Promise<unknown> => {
    const env = { ...process.env, STICHTAG_HOME: join(here.folder, 'home'), STICHTAG_LOG: 'silent' }
    const child = spawn(process.execPath, [main, ...args, '--json'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    const exit = once(child, 'exit')
    let text = ''
    try {
      for await (const line of createInterface({ input: child.stdout })) {
        text += line
        if (/^[}\]]/.test(line) || line === '[]') break
      }
      return JSON.parse(text)
    } finally {
      child.kill('SIGTERM')
      await exit
    }
  }

  it('of serve is where it serves', async () => {
    expect(await firstOf('serve', '--http', '127.0.0.1:0')).toEqual({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/),
      tokens: false,
    })
  })

  it('of schedule is what is scheduled', async () => {
    expect(await firstOf('schedule')).toEqual([
      { dataset: 'offeneregister', nextRun: expect.stringMatching(/^\d{4}-.*Z$/) },
    ])
  })
})
