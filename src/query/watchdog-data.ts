/** What a reader process tells its watchdog thread. */

export interface WatchdogData {
  /** One 32-bit number: {@link working} while a request is under way, 0 otherwise. */
  readonly flag: SharedArrayBuffer
  /** Process id of the parent; another one means that it died. */
  readonly parent: number
  readonly memoryLimitBytes: number
}

export const working = 1

/** The signal by which a reader ends itself for want of memory: the parent tells it from a kill by others. */
export const memorySignal = 'SIGUSR2'
