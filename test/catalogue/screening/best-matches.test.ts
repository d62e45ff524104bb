import { describe, expect, it } from 'vitest'
import { bestMatches, type Effort } from '../../../src/catalogue/screening/best-matches.ts'
import type { ListedName } from '../../../src/catalogue/screening/candidates.ts'
import { lookedUpName } from '../../../src/catalogue/screening/looked-up-name.ts'
import { Turns } from '../../../src/catalogue/screening/turns.ts'

const names = (count: number, name: string): ListedName[] =>
  Array.from({ length: count }, (_, place) => ({ entityId: place, name, kind: 'alias', strength: null }))

const long = 'ali baba '.repeat(400)
const unbounded = (): Effort => ({ turns: new Turns(), mostPairs: Number.POSITIVE_INFINITY })

/** Rounds of the event loop until something is done: what everybody else got meanwhile. */
const roundsUntil = async (work: Promise<unknown>): Promise<number> => {
  let rounds = 0
  let isDone = false
  const settled = work.finally(() => {
    isDone = true
  })
  while (!isDone) {
    await new Promise((resolve) => setImmediate(resolve))
    rounds += 1
  }
  await settled
  return rounds
}

describe('the best matches of a list', () => {
  it('are found in slices, between which all others are served', async () => {
    const few = await roundsUntil(bestMatches(lookedUpName(long), names(20, long), 0.85, unbounded()))
    const many = await roundsUntil(bestMatches(lookedUpName(long), names(200, long), 0.85, unbounded()))
    expect(few).toBeGreaterThan(5)
    expect(many).toBeGreaterThan(few * 5)
  })

  it('take turns with those of other callers: however many there are, a round has one slice', async () => {
    const turns = new Turns()
    const asked = (): Promise<unknown> =>
      bestMatches(lookedUpName(long), names(40, long), 0.85, { ...unbounded(), turns })
    const one = await roundsUntil(asked())
    const four = await roundsUntil(Promise.all([asked(), asked(), asked(), asked()]))
    expect(four).toBeGreaterThan(one * 3)
  })

  it('are those of the first names where comparing all takes too much, always the same ones', async () => {
    const listed = [...names(30, long), { entityId: 'last', name: 'Ali Baba', kind: null, strength: null }]
    const effort = { ...unbounded(), mostPairs: 20_000 }
    const cut = await bestMatches(lookedUpName(long), listed, 0.5, effort)
    expect(cut.compared).toBeGreaterThan(5)
    expect(cut.compared).toBeLessThan(30)
    expect(cut.matches).toHaveLength(cut.compared)
    expect(await bestMatches(lookedUpName(long), listed, 0.5, effort)).toEqual(cut)
    const whole = await bestMatches(lookedUpName(long), listed, 0.5, unbounded())
    expect(whole).toMatchObject({ compared: 31, matches: { length: 31 } })
  })

  it('end with the caller', async () => {
    const gone = new AbortController()
    const work = bestMatches(lookedUpName(long), names(1000, long), 0.85, unbounded(), gone.signal)
    setImmediate(() => gone.abort())
    await expect(work).rejects.toMatchObject({ code: 'CANCELLED' })
  })
})
