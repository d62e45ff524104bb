/**
 * Preloaded (`--import`) into a process that is measured: says over the channel to its parent how long the main thread
 * was blocked at most since it was last asked, and what its heap holds without garbage (with `--expose-gc`).
 */

export interface LoopReport {
  /** Longest time between two turns of the event loop, in milliseconds: what a host could notice. */
  readonly blockedMs: number
  /** Most processor time of the main thread between two turns: the same without other processes' share of the core. */
  readonly busyMs: number
  /** Bytes of the heap after a collection, and of memory outside it that belongs to objects in it. */
  readonly heapBytes: number
  readonly externalBytes: number
}

const tickMs = 1

let blockedMs = 0
let busyMs = 0
let lastTurn = performance.now()
let lastCpu = process.threadCpuUsage()

const look = (): void => {
  const now = performance.now()
  const cpu = process.threadCpuUsage()
  blockedMs = Math.max(blockedMs, now - lastTurn - tickMs)
  busyMs = Math.max(busyMs, (cpu.user + cpu.system - lastCpu.user - lastCpu.system) / 1000)
  lastTurn = now
  lastCpu = cpu
}

const report = (): LoopReport => {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return { blockedMs, busyMs, heapBytes: heapUsed, externalBytes: external }
}

if (process.send !== undefined) {
  setInterval(look, tickMs).unref()
  process.on('message', () => {
    process.send?.(report())
    // The collection is the probe's doing.
    lastTurn = performance.now()
    lastCpu = process.threadCpuUsage()
    blockedMs = 0
    busyMs = 0
  })
  process.channel?.unref()
}
