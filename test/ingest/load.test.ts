import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { Building } from '../../src/ingest/building.ts'
import { type LoadReport, load } from '../../src/ingest/load.ts'
import type { PipelineDefinition } from '../../src/pipeline/types.ts'
import { places } from '../pipeline/places.ts'
import { scratchFolder } from '../store/scratch-store.ts'
import { delivery, manyPlaces, place } from './ingesting.ts'

const loading = async (
  paths: readonly string[],
  given: { definition?: PipelineDefinition; tamper?: (building: Building) => void; onProgress?: () => void } = {},
): Promise<{ report: LoadReport; rows: unknown[]; building: Building }> => {
  const { definition = places } = given
  const building = new Building(join(scratchFolder(), 'data.db'), definition)
  given.tamper?.(building)
  const files = paths.map((path, index) => ({
    name: definition.sources[index]?.name ?? '',
    url: 'file:x',
    path,
    bytes: 0,
    sha256: '',
    retrievedAt: '',
  }))
  try {
    const report = await load(building, definition, files, {
      signal: new AbortController().signal,
      onProgress: given.onProgress ?? (() => undefined),
    })
    building.finish(() => undefined)
    return { report, rows: building.database.prepare('SELECT id FROM place ORDER BY rowid').pluck().all(), building }
  } finally {
    building.abandon()
  }
}

describe('loading', () => {
  it('reports the latest date that records give, of all files', async () => {
    const dated = (date: string, id: string) => place(id, null, { as_of: date })
    const [source] = places.sources
    if (source === undefined) throw new Error('no source')
    const definition = { ...places, sources: [source, { ...source, name: 'more.jsonl' }] }
    const { report, rows } = await loading(
      [
        delivery([dated('2026-11-30', 'a'), dated('2025-01-01', 'b')]),
        delivery([dated('2026-02-03', 'c')], 'more.jsonl'),
      ],
      { definition },
    )
    expect(report.publisherDate).toBe('2026-11-30')
    expect(rows).toEqual(['a', 'b', 'c'])
    expect(report.files.map(({ name, accounting }) => [name, accounting.read])).toEqual([
      ['places.jsonl.gz', 2],
      ['more.jsonl', 1],
    ])
  })

  it('gives the mapping a state for each file, and one for all files of the run', async () => {
    const [source] = places.sources
    if (source === undefined) throw new Error('no source')
    const counted = (state: Record<string, unknown>): number => {
      state.count = Number(state.count ?? 0) + 1
      return Number(state.count)
    }
    const definition: PipelineDefinition = {
      ...places,
      sources: [source, { ...source, name: 'more.jsonl' }],
      map: (_, { state, runState, emit }) => emit('place', { id: `${counted(runState)} ${counted(state)}` }),
    }
    for (const _run of [1, 2]) {
      const files = [delivery([place('a'), place('b')]), delivery([place('c')], 'more.jsonl')]
      expect((await loading(files, { definition })).rows).toEqual(['1 1', '2 2', '3 1'])
    }
  })

  it('finds a key that is in two files', async () => {
    const [source] = places.sources
    if (source === undefined) throw new Error('no source')
    const definition = { ...places, sources: [source, { ...source, name: 'more.jsonl' }] }
    await expect(
      loading([delivery([place('a')]), delivery([place('b'), place('a')], 'more.jsonl')], { definition }),
    ).rejects.toThrow('places: more.jsonl line 2: its key is already there')
  })

  it('says STORE_UNWRITABLE where the disk is full, and does not blame the mapping', async () => {
    const tamper = ({ database }: Building): void => {
      database.pragma(`max_page_count = ${Number(database.pragma('page_count', { simple: true })) + 1}`)
    }
    await expect(loading([delivery(manyPlaces(20_000))], { tamper })).rejects.toThrow(
      expect.objectContaining({ code: 'STORE_UNWRITABLE', message: expect.stringContaining('the disk is full') }),
    )
  })

  it('goes over more rows than one transaction holds', async () => {
    let told = 0
    const { rows, building } = await loading([delivery(manyPlaces(50_001))], { onProgress: () => void told++ })
    expect(rows).toHaveLength(50_001)
    expect(building.totals().get('place')?.rows).toBe(50_001)
    expect(told).toBeGreaterThan(50)
  })

  it('keeps of rejected records ten thousand, with their text cut, and counts all', async () => {
    const text = `{"id":"good"}\n${`{"id":"","x":"${'y'.repeat(2000)}"}\n`.repeat(10_005)}`
    const definition = { ...places, guards: { maxRejected: 1 } }
    const path = join(scratchFolder(), 'data.db')
    const building = new Building(path, definition)
    const file = { name: 'places.jsonl.gz', url: '', path: delivery(text), bytes: 0, sha256: '', retrievedAt: '' }
    const { files } = await load(building, definition, [file], {
      signal: new AbortController().signal,
      onProgress: () => undefined,
    })
    building.finish(() => undefined)
    building.close({})
    expect(files[0]?.accounting).toMatchObject({ read: 10_006, mapped: 1, rejected: 10_005 })
    expect(files[0]?.accounting.examples).toHaveLength(3)
    const database = new Database(path, { readonly: true })
    expect(database.prepare('SELECT count(*), max(length(raw)) FROM _rejected').raw().get()).toEqual([10_000, 1000])
    database.close()
  })
})
