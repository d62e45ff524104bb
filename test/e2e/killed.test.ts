import { expect, it } from 'vitest'
import { killRuns } from '../../bench/kill-runs.ts'

it('leaves the current snapshot current, byte for byte, at whichever moment a run is killed, and nothing behind', async () => {
  const report = await killRuns(10)
  expect(report).toMatchObject({ kills: 10, faults: [], leftovers: [] })
}, 180_000)
