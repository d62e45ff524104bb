import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Store } from '../../src/store/layout.ts'
import { type StoreWatch, type WatchOptions, watchStore } from '../../src/store/watch.ts'

const first = '20261201T030512Z-00000001'
const second = '20261202T030512Z-00000002'

let root: string
let store: Store
let open: StoreWatch[]
let seen: string[]
let errors: unknown[]

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'watch-'))
  store = { root, origin: 'global' }
  open = []
  seen = []
  errors = []
})

afterEach(async () => {
  for (const watching of open) await watching.close()
  rmSync(root, { recursive: true, force: true })
  expect(errors).toEqual([])
})

const watching = async (over: Partial<WatchOptions> = {}): Promise<StoreWatch> => {
  const started = await watchStore({
    stores: [store],
    onChange: (changed) => seen.push(...changed.map((path) => relative(root, path))),
    onError: (error) => errors.push(error),
    ...over,
  })
  open.push(started)
  return started
}

const path = (...parts: string[]): string => join(root, ...parts)

const publish = (version: string): void => {
  mkdirSync(path('data/snapshots/d', version), { recursive: true })
  writeFileSync(path('data/snapshots/d', version, 'data.db'), version)
  symlinkSync(join('snapshots/d', version, 'data.db'), path('data/.d.db.new'))
  renameSync(path('data/.d.db.new'), path('data/d.db'))
}

/** So rare a look of its own accord that only an event or an asked-for look can be what noticed. */
const byEventsOnly = { intervalMs: 3_600_000 }

describe('watching a store', () => {
  it('tells of a pointer that moved, and of the version that came with it', async () => {
    publish(first)
    const watch = await watching(byEventsOnly)
    publish(second)
    await watch.look()
    expect(seen.sort()).toEqual(['data/d.db', 'data/snapshots/d'])
  })

  it('tells of an alias and of what lies behind the pointer', async () => {
    publish(first)
    symlinkSync('d.db', path('data/alias.db'))
    const watch = await watching(byEventsOnly)
    publish(second)
    await watch.look()
    expect(seen.sort()).toEqual(['data/alias.db', 'data/d.db', 'data/snapshots/d'])
  })

  it('tells of state.json replaced by rename', async () => {
    publish(first)
    writeFileSync(path('data/snapshots/d/state.json'), '{}')
    const watch = await watching(byEventsOnly)
    writeFileSync(path('data/snapshots/d/.state'), '{}')
    renameSync(path('data/snapshots/d/.state'), path('data/snapshots/d/state.json'))
    await watch.look()
    expect(seen).toEqual(['data/snapshots/d/state.json'])
  })

  it('tells of a version that was pruned', async () => {
    publish(first)
    publish(second)
    const watch = await watching(byEventsOnly)
    rmSync(path('data/snapshots/d', first), { recursive: true })
    await watch.look()
    expect(seen).toEqual(['data/snapshots/d'])
  })

  it('tells nothing of work areas, of the ledger, and where nothing changed', async () => {
    publish(first)
    const watch = await watching(byEventsOnly)
    mkdirSync(path('data/snapshots/d/.building-1'))
    writeFileSync(path('data/runs.db'), 'run')
    await watch.look()
    expect(seen).toEqual([])
  })

  it('tells of further files that appear, change, are replaced and vanish', async () => {
    const file = path('elsewhere/own.db')
    const watch = await watching({ ...byEventsOnly, paths: () => [file] })
    const steps = [
      () => mkdirSync(path('elsewhere')),
      () => writeFileSync(file, 'a'),
      () => writeFileSync(`${file}-wal`, 'more'),
      () => {
        writeFileSync(path('elsewhere/new'), 'b')
        renameSync(path('elsewhere/new'), file)
      },
      () => rmSync(file),
    ]
    const told: string[][] = []
    for (const step of steps) {
      step()
      await watch.look()
      told.push(seen.splice(0))
    }
    expect(told).toEqual([[], ['elsewhere/own.db'], ['elsewhere/own.db'], ['elsewhere/own.db'], ['elsewhere/own.db']])
  })

  it('asks for the further paths anew before every look', async () => {
    const paths: string[] = []
    const watch = await watching({ ...byEventsOnly, paths: () => paths })
    writeFileSync(path('late.db'), 'a')
    await watch.look()
    expect(seen).toEqual([])
    paths.push(path('late.db'))
    await watch.look()
    expect(seen).toEqual(['late.db'])
  })

  it('survives a store that does not exist yet, and tells when it does', async () => {
    const watch = await watching(byEventsOnly)
    await watch.look()
    publish(first)
    await watch.look()
    expect(seen.sort()).toEqual(['data/d.db', 'data/snapshots/d'])
  })

  it('hears of a change by an event of the file system, long before the next look', async () => {
    publish(first)
    await watching(byEventsOnly)
    publish(second)
    await vi.waitFor(() => expect(seen).toContain('data/d.db'), { timeout: 10_000 })
  })

  it('hears events from a folder that took the place of a watched one', async () => {
    publish(first)
    const watch = await watching(byEventsOnly)
    renameSync(path('data'), path('old'))
    publish(second)
    await watch.look()
    seen.length = 0
    publish(first)
    await vi.waitFor(() => expect(seen).toContain('data/d.db'), { timeout: 10_000 })
  })

  it('finds a change by reading, where no event comes', async () => {
    await watching({ intervalMs: 20 })
    // Nothing under this root was there to be watched when watching began.
    publish(first)
    await vi.waitFor(() => expect(seen).toContain('data/d.db'), { timeout: 10_000 })
  })

  it('goes on after a look that failed, and says that it failed', async () => {
    publish(first)
    let fail = true
    const paths = () => {
      if (fail) throw new Error('no list')
      return []
    }
    fail = false
    await watching({ intervalMs: 5, paths })
    fail = true
    await vi.waitFor(() => expect(errors).not.toEqual([]))
    fail = false
    publish(second)
    await vi.waitFor(() => expect(seen).toContain('data/d.db'))
    expect(errors.splice(0).every((error) => error instanceof Error && error.message === 'no list')).toBe(true)
  })

  it('tells nothing after it was closed', async () => {
    publish(first)
    const watch = await watching({ intervalMs: 5 })
    await watch.close()
    publish(second)
    await watch.look()
    expect(seen).toEqual([])
  })
})
