/** What `status` and `snapshots` say of data that nobody confirmed with the publisher: samples, files given by hand, rollbacks. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { rollback } from '../../src/ingest/rollback.ts'
import type { Store } from '../../src/store/layout.ts'
import { delivery, ingest, linesOf, place } from '../ingest/ingesting.ts'
import { scratchFolder, scratchStore } from '../store/scratch-store.ts'
import { commandLine } from './stichtag.ts'

const shown = (store: Store, ...args: string[]): { readonly json: unknown; readonly words: string } => {
  const here = commandLine()
  try {
    const settings = { STICHTAG_HOME: store.root }
    const { stdout, stderr } = here.run(args, settings)
    return { json: JSON.parse(here.run([...args, '--json'], settings).stdout), words: stdout + stderr }
  } finally {
    here.remove()
  }
}

const one = () => delivery([place('a', 'One')])

describe('an invented sample', () => {
  const sampled = async (): Promise<Store> => {
    const folder = scratchFolder()
    mkdirSync(join(folder, 'data', '2026-11-01'), { recursive: true })
    writeFileSync(join(folder, 'data', '2026-11-01', 'places.jsonl'), linesOf([place('s', 'Invented')]))
    const store = scratchStore()
    await ingest(store, undefined, { folder, options: { sample: true } })
    return store
  }

  it('is marked by status, and nothing says that it was confirmed', async () => {
    const { json, words } = shown(await sampled(), 'status')
    expect(json).toEqual([expect.not.objectContaining({ sample: true })])
    expect(words).toContain('current, sample')
    expect(words).toContain('an invented sample')
    expect(words).not.toContain('confirmed')
  })

  it('is marked by snapshots', async () => {
    const { json, words } = shown(await sampled(), 'snapshots', 'places')
    expect(json).toEqual([expect.not.objectContaining({ sample: true })])
    expect(words).toContain('current, sample')
  })
})

describe('a file given by hand', () => {
  it('is named by status, which adds nothing to its JSON', async () => {
    const store = scratchStore()
    await ingest(store, one())
    const { json, words } = shown(store, 'status')
    expect(words).toContain('from a file given by hand (places.jsonl), not confirmed with the publisher')
    expect(json).toEqual([
      {
        dataset: 'places',
        state: 'current',
        version: expect.any(String),
        asOf: expect.any(String),
        nextRun: expect.any(String),
        lastRun: { outcome: 'published', at: expect.any(String) },
      },
    ])
  })
})

describe('a version that a rollback holds', () => {
  it('is shown by status and by snapshots, with the way to release it', async () => {
    const store = scratchStore()
    await ingest(store, one())
    const { version } = await ingest(store, delivery([place('a', 'One'), place('b', 'Two')]))
    await rollback(store, 'places', undefined, () => new Date())
    const status = shown(store, 'status')
    expect(status.words).toContain(`stichtag release places ${version}`)
    expect(status.words).not.toContain('confirmed')
    const snapshots = shown(store, 'snapshots', 'places')
    expect(snapshots.words).toContain('held')
    expect(snapshots.words).toContain(`stichtag release places ${version}`)
  })
})
