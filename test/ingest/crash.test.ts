import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { examine } from '../../src/ingest/doctor.ts'
import { release } from '../../src/ingest/release.ts'
import { defaultKeep, prune } from '../../src/ingest/retention.ts'
import { rollback } from '../../src/ingest/rollback.ts'
import { ledgerPath, type Store } from '../../src/store/layout.ts'
import { readState, versionsOf } from '../../src/store/snapshots.ts'
import { startScript } from '../store/child.ts'
import { scratchStore, treeOf } from '../store/scratch-store.ts'
import { current, delivery, ingest, keptIn, manyPlaces, place, quarantined, query } from './ingesting.ts'

/** Each death is a process of its own. */
const patience = 300_000

const script = new URL('./dying-run.ts', import.meta.url)
const one = () => delivery([place('a', 'One')])
const two = () => delivery([place('a', 'Two')])
const three = () => delivery([place('a', 'Three')])

/**
 * Lets the command die at its first point, then in a fresh store at its second, and so on until it does not die any
 * more; `afterDeath` sees what each death left. Returns how many there were.
 */
const dieEverywhere = async (
  prepare: () => Promise<{ store: Store; argument: string }>,
  command: string,
  afterDeath: (store: Store, argument: string) => Promise<void>,
): Promise<number> => {
  for (let point = 1; ; point += 1) {
    const { store, argument } = await prepare()
    const ended = await startScript(script, [store.root, String(point), command, argument]).ended()
    if (ended === 0) return point - 1
    expect(ended).toBe('SIGKILL')
    await afterDeath(store, argument)
  }
}

const nameIn = (store: Store): unknown => query(store, 'SELECT name FROM place').flat()[0]

const leftovers = (store: Store): string[] =>
  Object.keys(treeOf(store.root)).filter((name) => name.includes('.building-') || /\/\.[^/]*\.[0-9a-f]{8}$/.test(name))

/** What holds at every moment: the pointer leads to a whole snapshot. */
const expectWholeCurrent = (store: Store, ...names: string[]): void => {
  expect(names).toContain(nameIn(store))
  expect(query(store, 'PRAGMA integrity_check')).toEqual([['ok']])
  expect(current(store).dataset).toBe('places')
}

/** Whatever died: doctor finds nothing that a person would have to mend, and the next command leaves nothing of it. */
const expectNextCommandWorks = async (store: Store): Promise<void> => {
  const errors = (await examine(store, [], new AbortController().signal)).filter(({ severity }) => severity === 'error')
  expect(errors).toEqual([])
  const before = current(store).version
  await prune(store, 'places', defaultKeep, new Date())
  expect(current(store).version).toBe(before)
  expect(leftovers(store)).toEqual([])
}

/** What state.json says is where the pointer is. */
const expectStateOfCurrent = (store: Store): void => {
  const { history, held, publishing } = readState(store, 'places')
  const { version } = current(store)
  expect(history.at(-1)?.version).toBe(version)
  expect(held.map((each) => each.version)).not.toContain(version)
  expect(publishing).toBeUndefined()
}

describe('a process that is killed', () => {
  it(
    'anywhere in an ingest leaves a whole current snapshot, and the next run succeeds without leftovers',
    async () => {
      const prepare = async () => {
        const store = scratchStore()
        await ingest(store, one())
        return { store, argument: two() }
      }
      const seen = new Set<unknown>()
      const deaths = await dieEverywhere(prepare, 'ingest', async (store) => {
        expectWholeCurrent(store, 'One', 'Two')
        seen.add(nameIn(store))
        const published = nameIn(store) === 'Two'
        const result = await ingest(store, two())
        expect(result).toMatchObject({
          outcome: published ? 'unchanged' : 'published',
          version: current(store).version,
        })
        expectWholeCurrent(store, 'Two')
        expect(leftovers(store)).toEqual([])
        expect(keptIn(store)).toHaveLength(2)
        expect(readState(store, 'places').history.map(({ version }) => version)).toEqual(keptIn(store))
      })
      // Both sides of the moment at which the pointer moves were met, and the work before it.
      expect(seen).toEqual(new Set(['One', 'Two']))
      expect(deaths).toBeGreaterThan(20)
    },
    patience,
  )

  it(
    'anywhere in the first ingest leaves nothing that the next one keeps',
    async () => {
      const prepare = async () => ({ store: scratchStore(), argument: two() })
      await dieEverywhere(prepare, 'ingest', async (store) => {
        await ingest(store, two())
        expectWholeCurrent(store, 'Two')
        expect(leftovers(store)).toEqual([])
        expect(keptIn(store)).toEqual([current(store).version])
      })
    },
    patience,
  )

  it('is noticed by the next run, which says in the ledger that the run was interrupted', async () => {
    const store = scratchStore()
    const from = two()
    expect(await startScript(script, [store.root, '5', 'ingest', from]).ended()).toBe('SIGKILL')
    await ingest(store, from)
    const ledger = new Database(ledgerPath(store), { readonly: true })
    const rows = ledger.prepare('SELECT outcome, code FROM run ORDER BY started, id').all()
    ledger.close()
    expect(rows).toEqual([
      { outcome: 'failed', code: 'INTERRUPTED' },
      { outcome: 'published', code: null },
    ])
  })

  it(
    'anywhere in a rollback leaves one version or the other, whole, and it can be rolled back again',
    async () => {
      const prepare = async () => {
        const store = scratchStore()
        for (const each of [one(), two(), three()]) await ingest(store, each)
        return { store, argument: '' }
      }
      await dieEverywhere(prepare, 'rollback', async (store) => {
        expectWholeCurrent(store, 'Three', 'Two')
        await expectNextCommandWorks(store)
        expect(versionsOf(store, 'places')).toHaveLength(3)
        if (nameIn(store) === 'Three') await rollback(store, 'places', undefined, () => new Date())
        expectWholeCurrent(store, 'Two')
        await ingest(store, two())
        expectStateOfCurrent(store)
        expect(leftovers(store)).toEqual([])
        expect(keptIn(store)).toHaveLength(3)
      })
    },
    patience,
  )

  it(
    'anywhere in a release loses the refused snapshot in no case, and it can be released again',
    async () => {
      const prepare = async () => {
        const store = scratchStore()
        await ingest(store, delivery(manyPlaces(10)))
        await ingest(store, delivery(manyPlaces(5)))
        await ingest(store, delivery([...manyPlaces(10), place('new')]))
        return { store, argument: quarantined(store)[0] ?? '' }
      }
      await dieEverywhere(prepare, 'release', async (store, refused) => {
        expect(query(store, 'PRAGMA integrity_check')).toEqual([['ok']])
        await expectNextCommandWorks(store)
        const [[count] = []] = query(store, 'SELECT count(*) FROM place') as number[][]
        // Released; at most its name in quarantine is left over.
        if (count !== 5) {
          expect(query(store, 'SELECT count(*) FROM place')).toEqual([[11]])
          expect(quarantined(store)).toContain(refused)
          await release(store, 'places', refused, () => new Date())
        }
        const { version, changes } = current(store)
        expect(version > refused).toBe(true)
        expect(changes).toMatchObject({ place: { removed: 6 } })
        await ingest(store, delivery(manyPlaces(5)))
        expectStateOfCurrent(store)
        expect(quarantined(store)).toEqual([])
        expect(leftovers(store)).toEqual([])
        expect(keptIn(store)).toHaveLength(3)
      })
    },
    patience,
  )

  it(
    'anywhere in a prune leaves only whole versions, current and its base among them',
    async () => {
      const prepare = async () => {
        const store = scratchStore()
        for (const each of [one(), two(), three(), delivery([place('a', 'Four')])]) await ingest(store, each)
        return { store, argument: '' }
      }
      await dieEverywhere(prepare, 'prune', async (store) => {
        expectWholeCurrent(store, 'Four')
        for (const version of versionsOf(store, 'places')) {
          const files = Object.keys(treeOf(store.root)).filter((name) => name.includes(`/${version}/`))
          expect([version, files.map((name) => name.split('/').at(-1))]).toEqual([
            version,
            ['changes.db', 'data.db', 'manifest.json'],
          ])
        }
        await expectNextCommandWorks(store)
        await prune(store, 'places', 1, new Date('2999-01-01T00:00:00Z'))
        await ingest(store, delivery([place('a', 'Four')]))
        expect(leftovers(store)).toEqual([])
        expect(keptIn(store)).toEqual([current(store).base, current(store).version])
      })
    },
    patience,
  )
})
