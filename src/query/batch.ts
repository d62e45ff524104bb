/**
 * Requests that a reader process is given in one message, since each message costs as much as a look-up. It runs them one
 * after the other and answers each as it is done, so that it is known which one it is at: only that one's time runs, and only
 * that one goes down with the process. Those behind it can be taken back and run elsewhere: reading twice does no harm.
 */
import type { Job } from './job.ts'
import type { ReaderRequest } from './messages.ts'

/** Most requests in a message: more bring nothing, and all of them wait for the first. */
export const mostTogether = 8

export class Batch {
  readonly #jobs: Job[]
  readonly #takenBack = new Set<Job>()
  #place = 0

  constructor(first: Job) {
    this.#jobs = [first]
  }

  /** Those that were added, in their order. */
  get requests(): readonly ReaderRequest[] {
    return this.#jobs.map(({ request }) => request)
  }

  /** The job that is being run; undefined once all are answered. */
  get running(): Job | undefined {
    return this.#jobs[this.#place]
  }

  /** Those behind it that somebody waits for, and that are still to be run here. */
  get waiting(): readonly Job[] {
    return this.#jobs.slice(this.#place + 1).filter((job) => !job.isSettled && !this.#takenBack.has(job))
  }

  add(jobs: readonly Job[]): void {
    this.#jobs.push(...jobs)
  }

  /** The job that was being run is answered: the next one is. */
  advance(): void {
    this.#place += 1
  }

  /** Gives those behind the running one to the caller, to be run elsewhere. The process may answer them all the same. */
  takeBack(): readonly Job[] {
    const taken = this.waiting
    for (const job of taken) this.#takenBack.add(job)
    return taken
  }

  /** The same of all that are not answered, where the process runs none of them. */
  takeRest(): readonly Job[] {
    this.#place -= 1
    const taken = this.takeBack()
    this.#place = this.#jobs.length
    return taken
  }

  isTakenBack(job: Job): boolean {
    return this.#takenBack.has(job)
  }
}
