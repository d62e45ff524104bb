/**
 * Turns at work in the process that serves everybody: one slice of it at a time, whoever asks, and between two slices
 * one round of the event loop, in which all others are served.
 */
export class Turns {
  #last: Promise<void> = Promise.resolve()

  /** Resolves when it is the caller's turn: what is done at once after it is one slice. */
  next(): Promise<void> {
    this.#last = this.#last.then(() => new Promise((resolve) => setImmediate(resolve)))
    return this.#last
  }
}
