/** What a reader process tells its watchdog thread. */

export interface WatchdogData {
  /** One 32-bit number: what the reader and the watchdog do, one of {@link watch}. */
  readonly flag: SharedArrayBuffer
  /** Process id of the parent; another one means that it died. */
  readonly parent: number
  readonly memoryLimitBytes: number
}

/**
 * Waking a thread costs as much as a look-up, so that the watchdog stays awake from one request to the next and falls asleep
 * when it finds the reader at rest; only then need the reader wake it.
 */
export const watch = {
  /** The reader rests, and the watchdog waits to be woken. */
  asleep: 0,
  /** A request is under way. */
  working: 1,
  /** The reader rests, and the watchdog has yet to notice. */
  resting: 2,
} as const

/** The signal by which a reader ends itself for want of memory: the parent tells it from a kill by others. */
export const memorySignal = 'SIGUSR2'
