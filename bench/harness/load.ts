/** Has a server loaded by a process of its own, and says how many requests it answered. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Load, LoadReport } from '../load-generator.ts'
import type { Rate } from './lines.ts'
import { measure } from './measure.ts'
import { type Bench, sized } from './row.ts'
import type { Server } from './servers.ts'

export type Asking = Pick<Load, 'era' | 'method' | 'asked'>

const script = join(import.meta.dirname, '..', 'load-generator.ts')

/** How many requests of sixteen connections a server answers per second. */
export const rateOf = async (bench: Bench, { url, processId }: Server, asking: Asking): Promise<Rate> => {
  const load: Load = {
    ...asking,
    url,
    processId,
    connections: 16,
    warmUp: sized(bench, { tiny: 2, reduced: 50, full: 200 }),
    seconds: sized(bench, { tiny: 0.2, reduced: 2, full: 5 }),
  }
  const path = join(bench.work, 'load.json')
  writeFileSync(path, JSON.stringify(load))
  const { stdout } = await measure(process.execPath, [script, path], { signal: bench.signal })
  // Printed by our own script.
  const { requests, seconds, cpuSeconds } = JSON.parse(stdout) as LoadReport
  return { perSecond: requests / seconds, cpuMicroseconds: (cpuSeconds * 1e6) / requests }
}
