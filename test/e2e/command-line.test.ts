/** The command line's contracts: exit statuses, JSON shapes, and nothing but JSON on stdout (DESIGN §4.3). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packageRoot } from '../../src/package-root.ts'
import { firstSample, openStage, type Stage, secondSample } from './stage.ts'

const versionPattern = /^\d{8}T\d{6}Z-[0-9a-f]{8}$/

describe('the command line', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage()
    await stage.ingest(firstSample)
    await stage.ingest(secondSample)
  })
  afterAll(() => stage.close())

  it('prints status as JSON', async () => {
    expect(await stage.json('status')).toEqual([
      {
        dataset: 'offeneregister',
        state: 'frozen',
        version: expect.stringMatching(versionPattern),
        asOf: expect.any(String),
        nextRun: expect.stringMatching(/^\d{4}-.*Z$/),
        lastRun: { outcome: 'published', at: expect.any(String) },
      },
    ])
  })

  it('prints snapshots as JSON, newest first', async () => {
    const snapshots = await stage.json('snapshots', 'offeneregister')
    const entry = { version: expect.stringMatching(versionPattern), bytes: expect.any(Number) }
    expect(snapshots).toEqual([
      { ...entry, current: true, rows: expect.objectContaining({ company: 69 }) },
      { ...entry, current: false, rows: expect.objectContaining({ company: 67 }) },
    ])
  })

  it('prints the difference field by field as JSON, in either direction', async () => {
    const [newer, older] = (await stage.json('snapshots', 'offeneregister')) as { version: string }[]
    const change = (fields: object) => ({ table: 'company', key: ['K1101R_HRB150148'], op: 'changed', fields })
    const addresses = ['Musterallee 1, 22769 Hamburg.', 'Prüfweg 12 b, 22769 Hamburg.']
    expect(await stage.json('diff', 'offeneregister')).toContainEqual(change({ registered_address: addresses }))
    expect(await stage.json('diff', 'offeneregister', newer?.version ?? '', older?.version ?? '')).toContainEqual(
      change({ registered_address: addresses.toReversed() }),
    )
  })

  it('prints a plan and does nothing with --dry-run', async () => {
    const before = await stage.json('status')
    const [plan] = (await stage.json('ingest', 'offeneregister', '--dry-run')) as object[]
    expect(plan).toMatchObject({ dataset: 'offeneregister', origin: 'declared', sample: false })
    expect(await stage.json('status')).toEqual(before)
  })

  it('reads records and runs queries as a host would', async () => {
    const uri = 'offeneregister://company/K1101R_HRB150148'
    expect(await stage.json('read', uri)).toMatchObject({ uri, record: { company_number: 'K1101R_HRB150148' } })
    const answer = await stage.json('query', 'offeneregister', 'getByNumber', 'companyNumber=K1101R_HRB150148')
    expect(answer).toMatchObject({ rows: [{ company_number: 'K1101R_HRB150148' }], truncated: false })
  })

  it.each([
    ['an unknown command', ['publish'], 2],
    ['an unknown option', ['ingest', '--fast'], 2],
    ['no dataset', ['ingest'], 2],
    ['an unknown dataset', ['ingest', 'handelsregister'], 2],
    ['a dataset and --all', ['ingest', 'offeneregister', '--all'], 2],
    ['--from and --sample', ['ingest', 'offeneregister', '--from', 'x', '--sample'], 2],
    ['a file that is not there', ['ingest', 'offeneregister', '--from', '/nowhere/file'], 2],
    ['a device in place of a file', ['ingest', 'offeneregister', '--from', '/dev/null'], 2],
    ['a scheme that nobody fetches', ['ingest', 'offeneregister', '--from', 'ftp://127.0.0.1/file'], 2],
    ['--from with nothing', ['ingest', 'offeneregister', '--from', ''], 2],
    ['a version that is not kept', ['rollback', 'offeneregister', '20200101T000000Z-00000000'], 3],
    ['a URI that nothing is at', ['read', 'offeneregister://company/nobody'], 3],
    ['how to serve left out', ['serve'], 2],
    ['an address that is none', ['serve', '--http', 'localhost'], 2],
  ])('answers %s with its exit status', async (_what, args, status) => {
    expect((await stage.run(...args)).status).toBe(status)
  })

  it('validates schemas: 0 without errors, 1 with, findings as JSON', async () => {
    const own = join(packageRoot, 'schemas', 'offeneregister.mjs')
    expect((await stage.run('validate', own)).status).toBe(0)
    const folder = mkdtempSync(join(tmpdir(), 'stichtag-schema-'))
    try {
      const file = join(folder, 'bad.mjs')
      writeFileSync(file, `export const main = { namespace: 'bad', name: 'Bad', version: '3.0.0', resources: [] }\n`)
      const { status, stdout } = await stage.run('validate', file, '--json')
      expect(status).toBe(1)
      expect(JSON.parse(stdout)).toContainEqual({
        file,
        rule: 'RES001',
        severity: 'error',
        path: expect.any(String),
        message: expect.any(String),
      })
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('guards and samples on the command line', () => {
  it('refuses a delivery that shrank, twice alike, and takes it with --accept-shrink', async () => {
    const stage = await openStage()
    try {
      const lines = Array.from({ length: 10 }, (_, index) =>
        JSON.stringify({ company_number: `X_${index}`, name: `Erfunden ${index}`, jurisdiction_code: 'de' }),
      )
      const write = (name: string, text: string): string => {
        const path = join(stage.root, name)
        writeFileSync(path, text)
        return path
      }
      const whole = write('whole.jsonl', lines.join('\n'))
      const half = write('half.jsonl', lines.slice(0, 5).join('\n'))
      const first = await stage.ingest(whole)
      expect(first).toMatchObject({ outcome: 'published', status: 0 })
      for (const _ of ['once', 'again']) {
        expect(await stage.ingest(half)).toMatchObject({
          status: 4,
          outcome: 'refused',
          version: first.version,
          reason: { code: 'GUARD', message: expect.stringContaining('company shrank from 10 to 5') },
        })
      }
      expect(await stage.json('status')).toMatchObject([{ state: 'failing', version: first.version }])
      expect(await stage.ingest(half, '--accept-shrink')).toMatchObject({ status: 0, outcome: 'published' })
      // An invented sample never replaces what is not one.
      const { status, stdout } = await stage.run('ingest', 'offeneregister', '--sample', '--json')
      expect(status).toBe(4)
      expect(JSON.parse(stdout)).toMatchObject([{ outcome: 'refused', reason: { code: 'SAMPLE_OVER_REAL' } }])
    } finally {
      await stage.close()
    }
  })
})
