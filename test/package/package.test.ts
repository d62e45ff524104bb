/** What `npm pack` makes of the project runs elsewhere: nothing is missing from it, and it needs no checkout. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packageRoot } from '../../src/package-root.ts'

describe('the packed package', () => {
  const work = mkdtempSync(join(tmpdir(), 'stichtag-package-'))
  // Below a node_modules, where Node strips no types: a source file that slipped in would fail.
  const installed = join(work, 'node_modules', 'stichtag')
  const env = { ...process.env, STICHTAG_HOME: join(work, 'home'), STICHTAG_LOG: 'warn' }
  const run = (command: string, args: readonly string[], cwd: string) =>
    spawnSync(command, args, { cwd, env, encoding: 'utf8' })
  const stichtag = (...args: string[]) => run(process.execPath, [join(installed, 'bin', 'stichtag.mjs'), ...args], work)

  beforeAll(() => {
    expect(run(process.execPath, ['scripts/build.ts'], packageRoot)).toMatchObject({ status: 0 })
    expect(run('npm', ['pack', '--pack-destination', work], packageRoot)).toMatchObject({ status: 0 })
    const tarball = readdirSync(work).find((name) => name.endsWith('.tgz')) ?? ''
    mkdirSync(join(work, 'node_modules'))
    expect(run('tar', ['-xzf', join(work, tarball), '-C', join(work, 'node_modules')], work)).toMatchObject({
      status: 0,
    })
    expect(run('mv', [join(work, 'node_modules', 'package'), installed], work)).toMatchObject({ status: 0 })
    symlinkSync(join(packageRoot, 'node_modules'), join(installed, 'node_modules'))
  }, 120_000)
  afterAll(() => rmSync(work, { recursive: true, force: true }))

  it('ingests the bundled sample and reads from it', () => {
    const ingested = stichtag('ingest', 'offeneregister', '--sample', '--json')
    expect(ingested.status).toBe(0)
    expect(JSON.parse(ingested.stdout)).toMatchObject([{ outcome: 'published', rows: { company: 69 } }])
    const read = stichtag('read', 'offeneregister://company/K1101R_HRB150148', '--json')
    expect(JSON.parse(read.stdout)).toMatchObject({ sample: expect.anything(), record: { jurisdiction_code: 'de' } })
  })

  it('reads bzip2 without the system’s program too', () => {
    const bare = { ...env, PATH: '/nowhere', STICHTAG_HOME: join(work, 'bare') }
    const { status } = spawnSync(
      process.execPath,
      [join(installed, 'bin', 'stichtag.mjs'), 'ingest', 'offeneregister', '--sample'],
      { cwd: work, env: bare },
    )
    expect(status).toBe(0)
  })

  it('runs the demo: publisher, scheduler, gateway and hosts', () => {
    const { status, stdout } = stichtag('demo')
    expect(stdout).toContain('Every step happened as told.')
    expect(status).toBe(0)
  }, 90_000)

  it('holds code, schemas, samples and docs, and neither sources nor tests', () => {
    const entries = readdirSync(installed).sort()
    expect(entries).toEqual(
      expect.arrayContaining([
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'bin',
        'data',
        'dist',
        'docs',
        'package.json',
        'schemas',
      ]),
    )
    expect(entries).not.toEqual(expect.arrayContaining(['src']))
    expect(entries).not.toEqual(expect.arrayContaining(['test']))
  })
})
