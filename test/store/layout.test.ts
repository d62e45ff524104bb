import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  buildingFolder,
  changesFile,
  dataFile,
  downloadsFolder,
  ledgerPath,
  lockPath,
  manifestFile,
  pointerPath,
  pointerTarget,
  quarantineFolder,
  snapshotFolder,
  statePath,
} from '../../src/store/layout.ts'
import { isVersion } from '../../src/store/version.ts'
import { versionOf } from './scratch-store.ts'

const store = { root: '/root', origin: 'global' } as const
const version = versionOf('20261201T030512Z-3f9a1c2b')

describe('the layout of a store', () => {
  it('is the one that the design draws', () => {
    const folder = snapshotFolder(store, 'offeneregister', version)
    expect([
      pointerPath(store, 'openregister.db'),
      lockPath(store, 'offeneregister'),
      statePath(store, 'offeneregister'),
      dataFile(folder),
      manifestFile(folder),
      changesFile(folder),
      quarantineFolder(store, 'offeneregister'),
      downloadsFolder(store, 'offeneregister'),
      ledgerPath(store),
    ]).toEqual([
      '/root/data/openregister.db',
      '/root/data/snapshots/offeneregister/lock',
      '/root/data/snapshots/offeneregister/state.json',
      `/root/data/snapshots/offeneregister/${version}/data.db`,
      `/root/data/snapshots/offeneregister/${version}/manifest.json`,
      `/root/data/snapshots/offeneregister/${version}/changes.db`,
      '/root/data/quarantine/offeneregister',
      '/root/data/downloads/offeneregister',
      '/root/data/runs.db',
    ])
  })

  it('points from the pointer, relatively, to the data of a version', () => {
    expect(join(dirname(pointerPath(store, 'x.db')), pointerTarget('x', version))).toBe(
      dataFile(snapshotFolder(store, 'x', version)),
    )
  })

  it('never takes a work area for a version', () => {
    const name = buildingFolder(store, 'x', version).split('/').at(-1) ?? ''
    expect(name).toBe(`.building-${version}`)
    expect(isVersion(name)).toBe(false)
  })
})
