import { chownSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { release } from '../../src/ingest/release.ts'
import { prune } from '../../src/ingest/retention.ts'
import { rollback } from '../../src/ingest/rollback.ts'
import { scratchStore } from '../store/scratch-store.ts'
import { current, delivery, ingest, keptIn, manyPlaces, place, quarantined, query } from './ingesting.ts'

const nobody = 65534

/** Root may do what others may not (write into read-only folders, say): where tests run as root, they give that up. */
const asOrdinaryUser = async <T>(root: string, work: () => Promise<T>): Promise<T> => {
  if (process.getuid?.() !== 0 || process.seteuid === undefined || process.setegid === undefined) return work()
  chownSync(root, nobody, nobody)
  process.setegid(nobody)
  process.seteuid(nobody)
  try {
    return await work()
  } finally {
    process.seteuid(0)
    process.setegid(0)
  }
}

describe('a user who is not root', () => {
  it('publishes, is refused, releases, rolls back and prunes, with read-only files and folders', async () => {
    const store = scratchStore()
    const now = () => new Date('2999-01-01T00:00:00Z')
    await asOrdinaryUser(store.root, async () => {
      const first = await ingest(store, delivery(manyPlaces(10)))
      expect((await ingest(store, delivery(manyPlaces(5)))).outcome).toBe('refused')
      const [refused = ''] = quarantined(store)
      const newer = await ingest(store, delivery([...manyPlaces(10), place('new')]))
      expect(newer.outcome).toBe('published')
      const { version: released } = await release(store, 'places', refused, now)
      expect(quarantined(store)).toEqual([])
      expect(query(store, 'SELECT count(*) FROM place')).toEqual([[5]])
      await rollback(store, 'places', first.version ?? '', now)
      expect(current(store).version).toBe(first.version)
      expect((await prune(store, 'places', 1, now())).versions).toEqual([newer.version])
      expect(keptIn(store)).toEqual([first.version, released])
    })
  })
})
