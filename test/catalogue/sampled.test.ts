import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { rollback } from '../../src/ingest/rollback.ts'
import type { Store } from '../../src/store/layout.ts'
import { delivery, ingest, linesOf, place } from '../ingest/ingesting.ts'
import { scratchFolder, scratchStore } from '../store/scratch-store.ts'
import { answerOf, bodyOf, openStore } from './opened.ts'

/** A store that began with an invented sample, and then got two real deliveries. */
const storeWithPast = async (): Promise<{ readonly store: Store; readonly versions: readonly string[] }> => {
  const folder = scratchFolder()
  mkdirSync(join(folder, 'data', '2026-11-01'), { recursive: true })
  writeFileSync(join(folder, 'data', '2026-11-01', 'places.jsonl'), linesOf([place('a', 'Invented')]))
  const store = scratchStore()
  const versions = [
    await ingest(store, undefined, { folder, options: { sample: true } }),
    await ingest(store, delivery([place('a', 'Real')]), { folder }),
    await ingest(store, delivery([place('a', 'Renamed')]), { folder }),
  ].map(({ version }) => version ?? '')
  return { store, versions }
}

describe('a store that began with an invented sample', () => {
  it('marks what the sample held in the history of a record', async () => {
    const { store, versions } = await storeWithPast()
    const { history } = await bodyOf(await openStore(store), 'places://history/place/a')
    expect(history).toEqual([
      expect.not.objectContaining({ sample: expect.anything() }),
      expect.not.objectContaining({ sample: expect.anything() }),
      expect.objectContaining({ version: versions[0], sample: expect.stringContaining('Invented') }),
    ])
  })

  it('marks the sample, and a version that a rollback holds, among the kept versions', async () => {
    const { store, versions } = await storeWithPast()
    await rollback(store, 'places', undefined, () => new Date())
    const { snapshots } = await bodyOf(await openStore(store), 'places://snapshots')
    const [third, second, first] = [snapshots].flat()
    expect(third).toMatchObject({ version: versions[2], held: true })
    expect(second).toEqual(expect.not.objectContaining({ held: true, sample: expect.anything() }))
    expect(first).toMatchObject({ version: versions[0], sample: expect.stringContaining('Invented') })
  })

  it('cannot tell what changed since the sample, and says why', async () => {
    const { store, versions } = await storeWithPast()
    const source = await openStore(store)
    expect(await source.current.call('changes', { dataset: 'places', since: versions[0] })).toMatchObject({
      ok: false,
      code: 'UNKNOWN_VERSION',
      message: expect.stringContaining('invented sample'),
    })
    expect(await answerOf(source, 'changes', { dataset: 'places', since: versions[1] })).toMatchObject({
      changes: [expect.objectContaining({ op: 'changed' })],
    })
  })
})
