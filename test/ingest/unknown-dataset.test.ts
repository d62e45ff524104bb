import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { setPin } from '../../src/ingest/pin.ts'
import { release } from '../../src/ingest/release.ts'
import { prune } from '../../src/ingest/retention.ts'
import { rollback } from '../../src/ingest/rollback.ts'
import { dataFolder, type Store, snapshotsFolder } from '../../src/store/layout.ts'
import { treeOf } from '../store/scratch-store.ts'
import { delivery, place, storeOf } from './ingesting.ts'

const version = '20261201T030512Z-00000001'
const now = (): Date => new Date()

const commands: readonly (readonly [string, (store: Store, dataset: string) => Promise<unknown>])[] = [
  ['release', (store, dataset) => release(store, dataset, version, now)],
  ['rollback', (store, dataset) => rollback(store, dataset, undefined, now)],
  ['prune', (store, dataset) => prune(store, dataset, 5, now())],
  ['pin', (store, dataset) => setPin(store, dataset, version, true)],
]
const names = [
  'others',
  '../x',
  '../quarantine',
  '..',
  '.',
  '',
  'Places',
  'places/',
  'places/../places',
  '/etc',
  'a\0b',
]

it.each(commands.flatMap(([command, run]) => names.map((name) => [command, name, run] as const)))(
  '%s of %j is a usage error that lists what there is, and makes nothing',
  async (_, name, run) => {
    const { store } = await storeOf(delivery.bind(null, [place('a')]))
    mkdirSync(join(dataFolder(store), 'quarantine'), { recursive: true })
    mkdirSync(join(snapshotsFolder(store), 'Places'))
    const before = treeOf(store.root)
    await expect(run(store, name)).rejects.toThrow(
      expect.objectContaining({
        code: 'UNKNOWN_DATASET',
        kind: expect.objectContaining({ exit: 2 }),
        message: expect.stringContaining('There are: places.'),
      }),
    )
    expect(treeOf(store.root)).toEqual(before)
    expect(existsSync(join(store.root, 'x'))).toBe(false)
  },
)
