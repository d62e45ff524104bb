/** A rollback that is killed on the way: the rejected delivery must not come back by itself. */
import { expect, it } from 'vitest'
import { rollback } from '../../src/ingest/rollback.ts'
import { readState } from '../../src/store/snapshots.ts'
import { startScript } from '../store/child.ts'
import { scratchStore } from '../store/scratch-store.ts'
import { current, delivery, ingest, place, query } from './ingesting.ts'

const script = new URL('./dying-run.ts', import.meta.url)
const one = () => delivery([place('a', 'One')])
const two = () => delivery([place('a', 'Two')])

it('holds the delivery that is left before the pointer moves, at whichever point it is killed', async () => {
  const seen = new Set<unknown>()
  for (let point = 1; ; point += 1) {
    const store = scratchStore()
    const nameIn = (): unknown => query(store, 'SELECT name FROM place').flat()[0]
    await ingest(store, one())
    const rejected = await ingest(store, two())
    const ended = await startScript(script, [store.root, String(point), 'rollback', '']).ended()
    const name = nameIn()
    seen.add(name)
    if (name === 'Two') {
      // The pointer had not moved: the delivery is current, held or not, and can be rolled back again.
      expect(await ingest(store, two())).toMatchObject({ outcome: 'unchanged', version: rejected.version })
      await rollback(store, 'places', undefined, () => new Date())
    }
    expect(await ingest(store, two())).toMatchObject({ outcome: 'refused', reason: { code: 'HELD' } })
    expect(nameIn()).toBe('One')
    expect(current(store).version).not.toBe(rejected.version)
    expect(readState(store, 'places').held).toMatchObject([{ version: rejected.version }])
    if (ended === 0) break
    expect(ended).toBe('SIGKILL')
  }
  expect(seen).toEqual(new Set(['One', 'Two']))
}, 300_000)
