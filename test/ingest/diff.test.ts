import { describe, expect, it } from 'vitest'
import { diffRange, eachChange } from '../../src/ingest/diff.ts'
import { removeFolder } from '../../src/ingest/remove-folder.ts'
import { snapshotFolder } from '../../src/store/layout.ts'
import { versionOf } from '../store/scratch-store.ts'
import { delivery, place, storeOf } from './ingesting.ts'

const _now = () => new Date('2026-12-05T06:07:08Z')
const one = delivery.bind(null, [place('a', 'One')])
const two = delivery.bind(null, [place('a', 'Two')])
const three = delivery.bind(null, [place('a', 'Three')])

const withCode = (code: string): unknown => expect.objectContaining({ code })

describe('the range of a diff', () => {
  it('is from the base of current to current, where nothing is said', async () => {
    const { store, versions } = await storeOf(one, two, three)
    expect(diffRange(store, 'places')).toEqual({ from: versions[1], to: versions[2] })
    expect(diffRange(store, 'places', versions[0])).toEqual({ from: versions[0], to: versions[2] })
    expect(diffRange(store, 'places', undefined, versions[1])).toEqual({ from: versions[0], to: versions[1] })
    expect(diffRange(store, 'places', undefined, versions[0])).toBeNull()
  })

  it('is an error for versions that are not kept, and for a dataset that was never ingested', async () => {
    const { store } = await storeOf(one)
    expect(() => diffRange(store, 'places', 'x')).toThrow(withCode('UNKNOWN_VERSION'))
    expect(() => diffRange(store, 'places', undefined, 'x')).toThrow(withCode('UNKNOWN_VERSION'))
    expect(() => diffRange(store, 'others')).toThrow(withCode('UNKNOWN_DATASET'))
  })

  it('reaches over several versions, backwards too, and to a base that is not kept any more', async () => {
    const { store, versions } = await storeOf(one, two, three)
    const names = (from?: string, to?: string): unknown[] => {
      const range = diffRange(store, 'places', from, to)
      const found: unknown[] = []
      if (range !== null) eachChange(store, 'places', range, ({ fields }) => found.push(fields?.name))
      return found
    }
    expect(names(versions[0], versions[2])).toEqual([['One', 'Three']])
    expect(names(versions[2], versions[0])).toEqual([['Three', 'One']])

    removeFolder(snapshotFolder(store, 'places', versionOf(versions[1] ?? '')))
    expect(names()).toEqual([['Two', 'Three']])
    expect(names(versions[1])).toEqual([['Two', 'Three']])
  })
})
