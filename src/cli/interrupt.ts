/** Ctrl-C and SIGTERM as an AbortSignal: work in hand ends cleanly, and a second one ends the process at once. */

export interface Interrupt {
  readonly signal: AbortSignal
  /** Gives the signals back to the process. */
  dispose(): void
}

export const interruptSignal = (): Interrupt => {
  const controller = new AbortController()
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(130)
    controller.abort()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return {
    signal: controller.signal,
    dispose: () => {
      process.off('SIGINT', stop)
      process.off('SIGTERM', stop)
    },
  }
}
