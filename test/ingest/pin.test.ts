import { describe, expect, it } from 'vitest'
import { setPin } from '../../src/ingest/pin.ts'
import { prune } from '../../src/ingest/retention.ts'
import { readState, versionsOf } from '../../src/store/snapshots.ts'
import { delivery, place, storeOf } from './ingesting.ts'

const deliveries = ['One', 'Two', 'Three', 'Four'].map((name) => () => delivery([place('a', name)]))
const later = new Date('2999-01-01T00:00:00Z')

describe('a pin', () => {
  it('has prune keep a version, until it is taken away', async () => {
    const { store, versions } = await storeOf(...deliveries)
    const [first = '', , third, fourth] = versions
    expect(await setPin(store, 'places', first, true)).toEqual([first])
    expect(await setPin(store, 'places', first, true)).toEqual([first])
    await prune(store, 'places', 1, later)
    expect(versionsOf(store, 'places')).toEqual([first, third, fourth])
    expect(await setPin(store, 'places', first, false)).toEqual([])
    await prune(store, 'places', 1, later)
    expect(versionsOf(store, 'places')).toEqual([third, fourth])
  })

  it('is of a version that is kept', async () => {
    const { store } = await storeOf(() => delivery([place('a')]))
    await expect(setPin(store, 'places', '20200101T000000Z-00000000', true)).rejects.toMatchObject({
      code: 'UNKNOWN_VERSION',
    })
    expect(readState(store, 'places').pins).toEqual([])
  })
})
