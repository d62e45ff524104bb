/**
 * The official conformance suite against the gateway, for both revisions. The files beside this one list what a read-only
 * gateway fails on purpose, each with its reason; a scenario listed there that passes is a failure too.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'

const here = dirname(fileURLToPath(import.meta.url))
const suite = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
  'dist/index.js',
)
const server = spawn(process.execPath, [join(here, 'conformance-server.ts')], { stdio: ['ignore', 'pipe', 'inherit'] })
let results = ''
let url = ''

beforeAll(async () => {
  results = await mkdtemp(join(tmpdir(), 'stichtag-conformance-'))
  const [line] = await once(server.stdout, 'data')
  url = String(line).trim()
})

afterAll(async () => {
  server.kill()
  await rm(results, { recursive: true })
})

it.each(['2025-11-25', '2026-07-28'])('the gateway conforms to %s but for what is listed', async (revision) => {
  const expected = join(here, `conformance-${revision}.yaml`)
  const args = [
    suite,
    'server',
    '--url',
    url,
    '--requirements',
    revision,
    '-o',
    results,
    '--expected-failures',
    expected,
  ]
  const outcome = await promisify(execFile)(process.execPath, args).catch((error: unknown) => error)
  expect(outcome).toMatchObject({ stdout: expect.stringContaining('Baseline check passed') })
})
