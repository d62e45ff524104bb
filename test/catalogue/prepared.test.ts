import { describe, expect, it } from 'vitest'
import { keptAnswers } from '../../src/catalogue/prepared.ts'
import type { ServedDatabase } from '../../src/catalogue/served.ts'

const snapshot: ServedDatabase = {
  path: 'snapshots/d/20261201T030512Z-3f9a1c2b/data.db',
  version: '20261201T030512Z-3f9a1c2b',
  asOf: '2026-12-01T03:05:12Z',
  terms: { licence: 'CC0', attribution: '', sample: false },
  tables: [],
  views: [],
  fullText: [],
}

/** Asks, and tells whether the answer had to be made. */
const asking = () => {
  const prepared = keptAnswers<string>()
  return async (database: ServedDatabase, question: string, length: number | null = 1): Promise<boolean> => {
    let made = false
    const answer = await prepared(database, question, async () => {
      made = true
      return { answer: `answer to ${question}`, length: () => length ?? undefined }
    })
    expect(answer).toBe(`answer to ${question}`)
    return made
  }
}

describe('an answer that was given before', () => {
  it('is given again to the same question about the same snapshot', async () => {
    const isMade = asking()
    expect([await isMade(snapshot, 'a'), await isMade(snapshot, 'a'), await isMade(snapshot, 'b')]).toEqual([
      true,
      false,
      true,
    ])
    expect(await isMade({ ...snapshot, path: 'another/data.db' }, 'a')).toBe(true)
  })

  it('is made anew where the file is not ours, so that its content can change', async () => {
    const isMade = asking()
    const foreign: ServedDatabase = { ...snapshot, foreign: true }
    expect([await isMade(foreign, 'a'), await isMade(foreign, 'a')]).toEqual([true, true])
  })

  it('is made anew where it must not be given again, or is long', async () => {
    const isMade = asking()
    for (const length of [null, 20_001]) {
      await isMade(snapshot, 'a', length)
      expect(await isMade(snapshot, 'a', length)).toBe(true)
    }
  })

  it('goes when there is no room for it, the one not asked for longest first', async () => {
    const isMade = asking()
    for (let at = 0; at < 100; at += 1) {
      await isMade(snapshot, 'asked for all the time', 20_000)
      await isMade(snapshot, String(at), 20_000)
      await isMade(snapshot, String(at), 20_000)
    }
    expect(await isMade(snapshot, 'asked for all the time', 20_000)).toBe(false)
    expect(await isMade(snapshot, '99', 20_000)).toBe(false)
    expect(await isMade(snapshot, '0', 20_000)).toBe(true)
  })

  it('does not go for one that is asked for once', async () => {
    const isMade = asking()
    for (let at = 0; at < 300; at += 1) await isMade(snapshot, String(at), 20_000)
    expect(await isMade(snapshot, '0', 20_000)).toBe(false)
    expect([await isMade(snapshot, '298', 20_000), await isMade(snapshot, '298', 20_000)]).toEqual([true, false])
  })

  it('is not kept where making it fails', async () => {
    const prepared = keptAnswers<string>()
    const fail = (): Promise<never> => Promise.reject(new Error('cannot be read'))
    await expect(prepared(snapshot, 'a', fail)).rejects.toThrow('cannot be read')
    expect(await prepared(snapshot, 'a', async () => ({ answer: 'read', length: () => 4 }))).toBe('read')
  })
})
