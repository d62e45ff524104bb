import { chmodSync, mkdirSync, openSync, readdirSync, symlinkSync, unlinkSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { firstSample, openStage, type Stage, secondSample } from './stage.ts'

interface Finding {
  readonly severity: string
  readonly path: string
  readonly message: string
}

let stage: Stage
let folder: string
beforeEach(async () => {
  stage = await openStage()
  await stage.ingest(firstSample)
  await stage.ingest(secondSample)
  folder = join(stage.root, 'data', 'snapshots', 'offeneregister')
})
afterEach(() => stage.close())

const findings = async (): Promise<Finding[]> => (await stage.json('doctor')) as Finding[]
const older = (): string => {
  const [first = ''] = readdirSync(folder).filter((name) => /^\d/.test(name))
  return join(folder, first)
}

it('finds nothing in a sound store: the digest of every snapshot, taken anew, is the one that was summed while loading', async () => {
  const { status, stdout } = await stage.run('doctor', '--json')
  expect({ status, findings: JSON.parse(stdout) }).toEqual({ status: 0, findings: [] })
})

it('finds a single byte that changed in a sealed file', async () => {
  const path = join(older(), 'data.db')
  chmodSync(path, 0o644)
  writeSync(openSync(path, 'r+'), 'x', 300_000)
  const { status, stdout } = await stage.run('doctor', '--json')
  expect(status).toBe(3)
  expect(JSON.parse(stdout)).toMatchObject([
    { severity: 'error', path: older(), message: expect.stringContaining('sealed') },
  ])
})

it('finds a pointer to nowhere, and what does not belong there', async () => {
  unlinkSync(stage.pointer)
  symlinkSync('snapshots/offeneregister/20200101T000000Z-00000000/data.db', stage.pointer)
  mkdirSync(join(folder, '.building-dead'))
  writeFileSync(join(folder, 'notes.txt'), '')
  const found = await findings()
  expect(found.map(({ severity, message }) => `${severity}: ${message}`).sort()).toEqual([
    'error: it points to 20200101T000000Z-00000000, which is not there',
    'warning: left behind by a command that died',
    'warning: this does not belong here',
  ])
})

it('finds a manifest that cannot be read, and goes on with the others', async () => {
  const path = join(older(), 'manifest.json')
  chmodSync(path, 0o644)
  writeFileSync(path, '{')
  expect(await findings()).toMatchObject([{ severity: 'error', path: older() }])
})
