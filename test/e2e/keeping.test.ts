/** What is kept and what is damaged, on the command line: pins, and a state.json that cannot be read. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { statePath } from '../../src/store/layout.ts'
import { firstSample, openStage, type Stage, secondSample } from './stage.ts'

describe('the command line', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage()
    await stage.ingest(firstSample)
    await stage.ingest(secondSample)
  })
  afterAll(() => stage.close())

  it('pins a version and takes the pin away', async () => {
    const entries = (await stage.json('snapshots', 'offeneregister')) as { version: string }[]
    const oldest = entries.at(-1)?.version ?? ''
    expect(await stage.json('snapshots', 'offeneregister', '--pin', oldest)).toMatchObject([
      { version: entries[0]?.version },
      { version: oldest, pinned: true },
    ])
    const unpinned = (await stage.json('snapshots', 'offeneregister', '--unpin', oldest)) as object[]
    expect(unpinned).toEqual(entries)
    expect((await stage.run('snapshots', 'offeneregister', '--pin', '20200101T000000Z-00000000')).status).toBe(3)
  })

  it('refuses to accept a guard that there is not', async () => {
    expect((await stage.run('ingest', 'offeneregister', '--accept', 'everything')).status).toBe(2)
  })

  it('shows every dataset where the state.json of one is damaged, and names that file in an ingest', async () => {
    const store = { root: stage.root, origin: 'global' } as const
    // A second dataset with a state and no snapshot: what a first run that failed leaves.
    const second = statePath(store, 'second')
    mkdirSync(dirname(second))
    copyFileSync(statePath(store, 'offeneregister'), second)
    writeFileSync(statePath(store, 'offeneregister'), '{"format":')
    expect(await stage.json('status')).toMatchObject([
      { dataset: 'offeneregister', state: 'failing', version: expect.any(String), lastRun: null },
      { dataset: 'second', state: 'missing' },
    ])
    const result = await stage.ingest(firstSample)
    expect(result).toMatchObject({
      status: 3,
      reason: { code: 'STATE_INVALID', message: expect.stringContaining(statePath(store, 'offeneregister')) },
    })
  })
})
