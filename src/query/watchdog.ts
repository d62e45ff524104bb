/**
 * A thread beside the reader that ends the process when the reader cannot: SQLite runs a statement without a break, so
 * the main thread hears neither that the parent died nor that memory runs out. It sleeps while no request is under way.
 */
import { workerData } from 'node:worker_threads'
import { memorySignal, type WatchdogData, working } from './watchdog-data.ts'

const intervalMs = 25
// Our own module starts this thread with exactly this.
const { flag, parent, memoryLimitBytes } = workerData as WatchdogData
const state = new Int32Array(flag)

for (;;) {
  // Blocks the thread until the reader says that it works, then wakes it at every interval.
  Atomics.wait(state, 0, 0)
  while (Atomics.wait(state, 0, working, intervalMs) === 'timed-out') {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
    if (process.memoryUsage.rss() > memoryLimitBytes) process.kill(process.pid, memorySignal)
  }
}
