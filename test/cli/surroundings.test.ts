/** Where a first-time user may run it: no stack trace, whatever the surroundings. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { main } from '../../src/demo/processes.ts'
import { type CommandLine, commandLine } from './stichtag.ts'

let here: CommandLine
beforeAll(() => {
  here = commandLine()
  here.run(['ingest', 'offeneregister', '--sample'])
})
afterAll(() => here.remove())

const trace = /^\s+at /m

describe('a reader that went away', () => {
  it.each([
    ['status', ['status'], 0],
    ['diff', ['diff', 'offeneregister'], 0],
    ['read', ['read', 'offeneregister://dataset', '--json'], 0],
    ['an error with --json', ['status', 'nope', '--json'], 2],
    ['a command that works on', ['prune'], 0],
  ])('is no error: %s', async (_, args, status) => {
    const env = { ...process.env, STICHTAG_HOME: join(here.folder, 'home'), STICHTAG_LOG: 'silent' }
    const child = spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.destroy()
    let words = ''
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      words += chunk
    })
    const [code] = await once(child, 'close')
    expect(words).not.toMatch(trace)
    expect(code).toBe(status)
  })
})

describe('a home folder', () => {
  it('that nobody knows is asked for', () => {
    for (const args of [['status'], ['ingest', 'offeneregister', '--sample'], ['read', 'offeneregister://dataset']]) {
      const { status, stderr } = here.run(args, { STICHTAG_HOME: undefined, HOME: '' })
      expect(stderr).toMatch(/^USAGE: there is no home folder .*STICHTAG_HOME/)
      expect(status).toBe(2)
    }
  })

  it('that cannot be written to is read, and named where something must be written', () => {
    // A file in place of the folder: even root cannot write into it.
    writeFileSync(join(here.folder, 'occupied'), '')
    const settings = { STICHTAG_HOME: undefined, HOME: join(here.folder, 'occupied') }
    expect(here.run(['status'], settings)).toMatchObject({ status: 0, stderr: expect.stringContaining('begin with') })
    const { status, stdout, stderr } = here.run(['ingest', 'offeneregister', '--sample', '--json'], settings)
    expect(stderr).not.toMatch(trace)
    expect(JSON.parse(stdout)).toMatchObject([{ reason: { code: 'STORE_UNWRITABLE' } }])
    expect(status).toBe(3)
  })
})

describe('a root of a store', () => {
  it('that is no folder is no empty store: whoever reads it is told', () => {
    const file = join(here.folder, 'file')
    writeFileSync(file, '')
    symlinkSync(join(here.folder, 'nothing'), join(here.folder, 'link'))
    for (const root of [file, join(file, 'deep', 'er'), join(here.folder, 'link')]) {
      for (const args of [['status'], ['read', 'offeneregister://dataset']]) {
        const { status, stdout } = here.run([...args, '--json'], { STICHTAG_HOME: root })
        expect(JSON.parse(stdout)).toMatchObject({
          error: { code: 'USAGE', message: expect.stringContaining(`there can be no store at ${root}: `) },
        })
        expect(status).toBe(2)
      }
    }
    expect(here.run(['status', '--json'], { STICHTAG_HOME: join(here.folder, 'new', 'one') })).toMatchObject({
      status: 0,
    })
  }, 60_000)

  it.runIf(process.platform === 'linux')('whose file system makes no folders fails a run in words', () => {
    const { status, stdout } = here.run(['ingest', 'gtfsde', '--sample', '--json'], { STICHTAG_HOME: '/proc' })
    expect(JSON.parse(stdout)).toMatchObject([
      {
        outcome: 'failed',
        reason: { code: 'STORE_UNWRITABLE', message: expect.stringContaining('/proc makes no folders') },
      },
    ])
    expect(status).toBe(3)
  })
})

describe('settings of no use', () => {
  it.each([
    ['STICHTAG_LOG', 'loud', 'one of trace, debug, info'],
    ['STICHTAG_LOG_ARGUMENTS', 'maybe', 'yes or no'],
    ['STICHTAG_QUERY_TIMEOUT', '2s', 'from 1 to 3600000'],
    ['STICHTAG_READERS', '0', 'from 1 to 256'],
    ['STICHTAG_JITTER', '-1', 'from 0 to 86400'],
    ['STICHTAG_WEBHOOK', 'nonsense', 'http or https URL'],
  ])('are told before anything is done, with what would do: %s=%s', (name, value, expected) => {
    const { status, stdout, stderr } = here.run(['status'], { [name]: value })
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toMatch(new RegExp(`^USAGE: ${name} must be .*${expected}.*, not "${value}"\n$`))
  })

  it('are no reason to keep the help back, and an empty one is none', () => {
    expect(here.run(['--help'], { STICHTAG_LOG: 'loud' }).status).toBe(0)
    expect(here.run(['status'], { STICHTAG_LOG: '', STICHTAG_READERS: '' }).status).toBe(0)
  })
})

describe('a plain or narrow terminal', () => {
  it.each([{ NO_COLOR: '1' }, { COLUMNS: '40' }, { TERM: 'dumb' }, { FORCE_COLOR: '0' }, { LANG: 'C' }])(
    'gets words without control characters: %j',
    (settings) => {
      for (const args of [['status'], ['--help'], ['ingest', '--help'], ['snapshots', 'offeneregister']]) {
        const { status, stdout, stderr } = here.run(args, settings)
        expect(status).toBe(0)
        expect(`${stdout}${stderr}`).not.toMatch(/[^\P{Cc}\n]/u)
        expect(stderr).not.toMatch(trace)
      }
    },
  )
})
