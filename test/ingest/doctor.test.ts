import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type DoctorFinding, examine } from '../../src/ingest/doctor.ts'
import { examineDisk } from '../../src/ingest/doctor-disk.ts'
import { release } from '../../src/ingest/release.ts'
import { defaultKeep, prune } from '../../src/ingest/retention.ts'
import { rollback } from '../../src/ingest/rollback.ts'
import {
  changesFile,
  dataFile,
  dataFolder,
  datasetFolder,
  downloadsFolder,
  ledgerPath,
  lockPath,
  manifestFile,
  pointerPath,
  quarantineFolder,
  type Store,
  snapshotFolder,
  statePath,
} from '../../src/store/layout.ts'
import { garbled, overwritten, removed, truncated } from '../store/damage.ts'
import { versionOf } from '../store/scratch-store.ts'
import { current, delivery, ingest, manyPlaces, quarantined, query, storeOf } from './ingesting.ts'

const ten = delivery.bind(null, manyPlaces(10))
const eleven = delivery.bind(null, manyPlaces(11))

const found = (store: Store): Promise<DoctorFinding[]> => examine(store, [], new AbortController().signal)

const inShell = /(?:mv|rm(?: -r)?|chmod -R u\+w) '[^']+'(?: '[^']+')?(?: && rm -r '[^']+')?/
const command = /stichtag (ingest|rollback|release|prune) places((?: --?[a-z-]+| \d{8}T\d{6}Z-[0-9a-f]{8})*)/

/** Does what a person would who reads an advice: the first command in it, as it is printed. */
const follow = async (store: Store, { advice }: DoctorFinding): Promise<void> => {
  const shell = inShell.exec(advice)
  const own = command.exec(advice)
  if (shell !== null && (own === null || shell.index < own.index)) {
    execFileSync('sh', ['-c', shell[0]])
    return
  }
  if (own === null) throw new Error(`nothing to follow in: ${advice}`)
  const args = (own[2] ?? '').trim().split(' ').filter(Boolean)
  const [version] = args.filter((each) => !each.startsWith('-'))
  const now = (): Date => new Date()
  if (own[1] === 'rollback') await rollback(store, 'places', version, now)
  else if (own[1] === 'release') await release(store, 'places', version ?? '', now)
  else if (own[1] === 'prune') await prune(store, 'places', defaultKeep, now())
  else {
    const options = { force: args.includes('--force'), acceptShrink: args.includes('--accept-shrink') }
    const { outcome, reason } = await ingest(store, eleven(), {
      options: { ...options, adopt: args.includes('--adopt') },
    })
    expect([outcome, reason]).toEqual([expect.stringMatching(/published|unchanged/), undefined])
  }
}

/** Follows the first advice, looks again, and so on, until nothing is wrong any more. */
const followAll = async (store: Store): Promise<void> => {
  for (let round = 0; round < 6; round += 1) {
    const [first] = (await found(store)).filter(({ severity }) => severity !== 'note')
    if (first === undefined) return
    await follow(store, first)
  }
  throw new Error(`still wrong: ${JSON.stringify(await found(store))}`)
}

const folderOf = (store: Store, version: string): string => snapshotFolder(store, 'places', versionOf(version))

interface Scene {
  readonly store: Store
  readonly older: string
  readonly now: string
}

const scene = async (): Promise<Scene> => {
  const { store, versions } = await storeOf(ten, eleven)
  return { store, older: versions[0] ?? '', now: versions[1] ?? '' }
}

const otherLink = (path: string, target: string): void => {
  rmSync(path, { force: true })
  symlinkSync(target, path)
}

const damages: readonly (readonly [string, (scene: Scene) => void, string | RegExp])[] = [
  ['data.db of current is truncated', ({ store, now }) => truncated(dataFile(folderOf(store, now))), /were sealed/],
  ['data.db of current is garbage', ({ store, now }) => garbled(dataFile(folderOf(store, now))), /not the file/],
  ['data.db of current is missing', ({ store, now }) => removed(dataFile(folderOf(store, now))), 'data.db is missing'],
  ['manifest of current is garbage', ({ store, now }) => overwritten(manifestFile(folderOf(store, now))), /not JSON/],
  ['manifest of current is missing', ({ store, now }) => removed(manifestFile(folderOf(store, now))), /it is missing/],
  [
    'manifest and data.db of current are damaged',
    ({ store, now }) => {
      overwritten(manifestFile(folderOf(store, now)))
      garbled(dataFile(folderOf(store, now)))
    },
    /not JSON/,
  ],
  ['changes.db of current is garbage', ({ store, now }) => garbled(changesFile(folderOf(store, now))), /./],
  ['changes.db of current is missing', ({ store, now }) => removed(changesFile(folderOf(store, now))), /changes\.db/],
  [
    'the digest in the manifest of current is another',
    ({ store, now }) => {
      const path = manifestFile(folderOf(store, now))
      chmodSync(path, 0o644)
      writeFileSync(path, readFileSync(path, 'utf8').replace(/"contentDigest": "....../, '"contentDigest": "000000'))
    },
    /content digest/,
  ],
  ['an older version is damaged', ({ store, older }) => garbled(dataFile(folderOf(store, older))), /not the file/],
  [
    'every manifest is damaged',
    ({ store, now, older }) => {
      overwritten(manifestFile(folderOf(store, now)))
      overwritten(manifestFile(folderOf(store, older)))
    },
    /no kept version has a manifest/,
  ],
  ['the pointer is missing', ({ store }) => rmSync(pointerPath(store, 'places.db')), /there is no pointer/],
  [
    'the pointer leads to nowhere',
    ({ store }) => otherLink(pointerPath(store, 'places.db'), 'snapshots/places/20200101T000000Z-00000000/data.db'),
    /which is not there/,
  ],
  [
    'a file lies in the place of the pointer',
    ({ store }) => {
      rmSync(pointerPath(store, 'places.db'))
      writeFileSync(pointerPath(store, 'places.db'), 'my own')
    },
    /somebody’s own/,
  ],
  ['the alias is missing', ({ store }) => rmSync(pointerPath(store, 'further-places.db')), 'the alias is missing'],
  [
    'the alias leads past the pointer',
    ({ store, older }) => otherLink(pointerPath(store, 'further-places.db'), `snapshots/places/${older}/data.db`),
    'the alias does not lead to the pointer',
  ],
  ['state.json is garbage', ({ store }) => overwritten(statePath(store, 'places')), /state\.json cannot be read/],
  ['the ledger is garbage', ({ store }) => overwritten(ledgerPath(store)), /ledger/],
  [
    'a folder lies in the place of the ledger',
    ({ store }) => {
      rmSync(ledgerPath(store))
      mkdirSync(ledgerPath(store))
    },
    /ledger/,
  ],
  ['the lock is garbage', ({ store }) => overwritten(lockPath(store, 'places')), /lock/],
  [
    'a folder lies in the place of the lock',
    ({ store }) => {
      rmSync(lockPath(store, 'places'))
      mkdirSync(lockPath(store, 'places'))
    },
    /lock/,
  ],
  [
    'a link lies in the place of the ledger',
    ({ store }) => otherLink(ledgerPath(store), '/nowhere'),
    /ledger .* symbolic link/,
  ],
  ['a link lies in the place of the lock', ({ store }) => otherLink(lockPath(store, 'places'), '/nowhere'), /symbolic/],
  [
    'a link lies in the place of the downloads',
    ({ store }) => {
      mkdirSync(dirname(downloadsFolder(store, 'places')), { recursive: true })
      otherLink(downloadsFolder(store, 'places'), '/nowhere')
    },
    /symbolic/,
  ],
  [
    'a download was broken off that no run goes on from',
    ({ store }) => {
      mkdirSync(downloadsFolder(store, 'places'), { recursive: true })
      writeFileSync(join(downloadsFolder(store, 'places'), 'places.jsonl.gz.part'), 'x')
    },
    /broken off \(1 bytes\), and that no run goes on from/,
  ],
  [
    'commands died',
    ({ store }) => {
      mkdirSync(join(datasetFolder(store, 'places'), '.building-dead'))
      writeFileSync(join(datasetFolder(store, 'places'), '.state.json.0a1b2c3d'), '')
      symlinkSync('x', join(dataFolder(store), '.places.db.0a1b2c3d'))
      mkdirSync(join(quarantineFolder(store, 'places'), '.building-dead'), { recursive: true })
    },
    /died/,
  ],
]

describe('the disk of a store', () => {
  const mebibyte = 1024 * 1024
  it.each([
    [0, 4, 1],
    [4, 4, 1],
    [5, 4, 0],
  ])('with %s MiB free and %s reserved is full: %s', async (free, reserve, count) => {
    const { store } = await scene()
    const disk = { free: () => free * mebibyte, reserve: () => reserve * mebibyte }
    const findings = examineDisk(store, disk)
    expect(findings).toHaveLength(count)
    for (const finding of findings) {
      expect(finding).toMatchObject({
        dataset: null,
        severity: 'error',
        message: expect.stringMatching(/disk is full/),
      })
    }
  })
})

describe('doctor', () => {
  it('names a download that the next run goes on from, with its size, and is not alarmed', async () => {
    const { store } = await scene()
    const folder = downloadsFolder(store, 'places')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'places.jsonl.gz.part'), 'x'.repeat(2048))
    const said = { url: 'https://e.example/places.jsonl.gz', etag: '"1"', total: 4096 }
    writeFileSync(join(folder, 'places.jsonl.gz.part.json'), JSON.stringify(said))
    expect(await found(store)).toMatchObject([
      { severity: 'note', message: 'a download that was broken off (2.0 KiB of 4.0 KiB)' },
    ])
    expect((await prune(store, 'places', defaultKeep, new Date())).raw).toEqual([])
    const muchLater = new Date(Date.now() + 31 * 24 * 60 * 60 * 1000)
    expect((await prune(store, 'places', defaultKeep, muchLater)).raw).toEqual([join(folder, 'places.jsonl.gz.part')])
  })

  it('finds nothing in a sound store', async () => {
    expect(await found((await scene()).store)).toEqual([])
  })

  it.each(damages)('finds that %s, and its advice, followed as it is printed, mends it', async (_, damage, message) => {
    const damaged = await scene()
    damage(damaged)
    const findings = await found(damaged.store)
    expect(findings.map((finding) => finding.message)).toContainEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    )
    await followAll(damaged.store)
    expect(query(damaged.store, 'PRAGMA integrity_check')).toEqual([['ok']])
    expect(current(damaged.store).tables[0]?.rows).toBeGreaterThanOrEqual(10)
    expect((await ingest(damaged.store, delivery(manyPlaces(12)))).outcome).toBe('published')
  })

  it('says of a refused delivery how to release it, and of a damaged one how to be rid of it', async () => {
    const { store } = await storeOf(ten)
    await ingest(store, delivery(manyPlaces(5)))
    const [note] = await found(store)
    expect(note).toMatchObject({ severity: 'note', message: expect.stringContaining('reason.json says why') })
    const [refused = ''] = quarantined(store)
    garbled(dataFile(join(quarantineFolder(store, 'places'), refused)))
    expect(await found(store)).toMatchObject([{ severity: 'error', message: expect.stringContaining('in quarantine') }])
    await followAll(store)
    expect(quarantined(store)).toEqual([])
    await ingest(store, delivery(manyPlaces(4)))
    const [releasable] = await found(store)
    if (releasable !== undefined) await follow(store, releasable)
    expect(query(store, 'SELECT count(*) FROM place')).toEqual([[4]])
    expect(await found(store)).toEqual([])
  })

  it('changes nothing by looking', async () => {
    const { store } = await scene()
    const before = readdirSync(datasetFolder(store, 'places'))
    mkdirSync(join(datasetFolder(store, 'places'), '.building-dead'))
    await found(store)
    expect(readdirSync(datasetFolder(store, 'places')).sort()).toEqual(['.building-dead', ...before].sort())
  })
})
