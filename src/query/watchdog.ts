/**
 * A thread beside the reader that ends the process when the reader cannot: SQLite runs a statement without a break, so
 * the main thread hears neither that the parent died nor that memory runs out. It sleeps while no request is under way.
 */
import { workerData } from 'node:worker_threads'
import { memorySignal, type WatchdogData, watch } from './watchdog-data.ts'

const intervalMs = 25
// Our own module starts this thread with exactly this.
const { flag, parent, memoryLimitBytes } = workerData as WatchdogData
const state = new Int32Array(flag)
/** Nobody ever wakes who waits for this. */
const never = new Int32Array(new SharedArrayBuffer(4))

for (;;) {
  // Blocks the thread until the reader says that it works.
  Atomics.wait(state, 0, watch.asleep)
  Atomics.wait(never, 0, 0, intervalMs)
  if (Atomics.compareExchange(state, 0, watch.resting, watch.asleep) !== watch.working) continue
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
  if (process.memoryUsage.rss() > memoryLimitBytes) process.kill(process.pid, memorySignal)
}
