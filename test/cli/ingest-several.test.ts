import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { main } from '../../src/demo/processes.ts'

const folder = mkdtempSync(join(tmpdir(), 'stichtag-several-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const stichtag = (...args: string[]) =>
  spawnSync(process.execPath, [main, ...args], {
    cwd: folder,
    env: { ...process.env, STICHTAG_HOME: join(folder, 'home'), STICHTAG_LOG: 'silent' },
    encoding: 'utf8',
  })

it('runs the others where one pipeline cannot be loaded, and says so', () => {
  mkdirSync(join(folder, 'pipelines', 'broken'), { recursive: true })
  writeFileSync(join(folder, 'pipelines', 'broken', 'index.mjs'), 'export default (kit =>')
  const { status, stdout } = stichtag('ingest', 'broken', 'offeneregister', '--sample', '--json')
  expect(JSON.parse(stdout)).toMatchObject([
    { dataset: 'broken', outcome: 'failed', reason: { code: 'PIPELINE_INVALID' } },
    { dataset: 'offeneregister', outcome: 'published' },
  ])
  expect(status).toBe(3)
})

it('does not make a dataset of a name that nothing is kept under', () => {
  expect(stichtag('prune', 'nope')).toMatchObject({ status: 2 })
  const datasets = JSON.parse(stichtag('status', '--json').stdout) as { dataset: string }[]
  expect(datasets.map(({ dataset }) => dataset)).not.toContain('nope')
})

it('serves a dataset of the global store with its own version and date, with --project too', () => {
  stichtag('ingest', 'offeneregister', '--sample')
  const uri = 'offeneregister://company/K1101R_HRB150148'
  const [plain, project] = [[], ['--project']].map((flags) =>
    JSON.parse(stichtag('read', uri, '--json', ...flags).stdout),
  )
  expect(project).toEqual(plain)
  expect(plain).toMatchObject({ version: expect.stringMatching(/^\d{8}T\d{6}Z-/), related: expect.anything() })
})

it('ends a watch that nobody answers, or that watches what can never be', () => {
  const gone = stichtag('watch', '--http', 'http://127.0.0.1:9/mcp', 'offeneregister://dataset')
  expect(gone).toMatchObject({ status: 3, stderr: expect.stringContaining('SOURCE_UNREACHABLE') })
  expect(stichtag('watch', 'foo')).toMatchObject({ status: 3, stderr: expect.stringContaining('NOT_FOUND') })
})
