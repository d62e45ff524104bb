import { expect, it } from 'vitest'
import { dropStreams } from '../../bench/dropped-streams.ts'

it('tells hosts whose streams are cut or fall silent of every change at least once, and of nothing else', async () => {
  const report = await dropStreams({ hosts: 10, publishes: 4, seed: 1 })
  expect(report.faults).toEqual([])
  for (const happened of ['changes', 'cut', 'silenced', 'reopenedWithId', 'reopenedWithout'] as const) {
    expect([happened, report[happened]]).toEqual([happened, expect.toSatisfy((count: number) => count > 0)])
  }
}, 120_000)
