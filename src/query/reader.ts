/** One reader process as its parent sees it: started by fork, asked over its channel, ended by SIGKILL. */
import { fork } from 'node:child_process'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { moduleExtension } from '../package-root.ts'
import { type ReaderBatch, type ReaderReply, type ReaderRequest, readerReplySchema } from './messages.ts'
import { sendable } from './sendable.ts'
import { memorySignal } from './watchdog-data.ts'

/** Why a reader process is gone, as far as it shows. */
export interface ReaderEnd {
  /** It ended itself because its memory went over the limit. */
  readonly forMemory: boolean
  /** How it ended, in words: `SIGKILL`, `exit code 1`. */
  readonly how: string
}

export interface ReaderEvents {
  reply(reply: ReaderReply): void
  /** Called once. */
  end(end: ReaderEnd): void
}

export interface Reader {
  readonly processId: number | undefined
  /** Gives it requests, which it answers one after the other. */
  ask(requests: readonly ReaderRequest[]): void
  /** Ends the process whatever it does; `end` follows. */
  kill(): void
  /** Lets the process keep its parent alive, or not: an idle one must not. */
  keepParentAlive(keep: boolean): void
}

/** Gives a process less of a core that others want as well. */
const yieldTo = (processId: number): void => {
  try {
    setPriority(processId, niceness)
  } catch (error) {
    // It is gone already, which its end tells, or the system keeps priorities to itself: it works all the same.
    if (!(error instanceof Error && 'code' in error)) throw error
  }
}

/** Three shares of four stay with the others, and a query is still done while they are busy. */
const niceness = 5

const modulePath = fileURLToPath(new URL(`./reader-process${moduleExtension}`, import.meta.url))

export interface ReaderOptions {
  readonly memoryLimitBytes: number
  /** Whether others go first where cores are few: a look-up is not to wait for a query that takes all it can get. */
  readonly yields: boolean
}

/** Starts a reader process. Its first reply is `ready`. */
export const startReader = ({ memoryLimitBytes, yields }: ReaderOptions, events: ReaderEvents): Reader => {
  const child = fork(modulePath, [String(memoryLimitBytes)], {
    // Not the parent's own flags (an inspector's port, a test runner's loader).
    // One thread for V8's background work less than there are cores, in place of four: a tenth more requests per second.
    execArgv: ['--disable-warning=ExperimentalWarning', '--v8-pool-size=0'],
    // stdout belongs to the parent's results or protocol.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  if (yields && child.pid !== undefined) yieldTo(child.pid)
  let ended = false
  const end = (how: string, forMemory: boolean): void => {
    if (ended) return
    ended = true
    events.end({ how, forMemory })
  }
  child.on('message', (message) => {
    if (ended) return
    const reply = readerReplySchema.safeParse(message)
    if (reply.success) return events.reply(reply.data)
    child.kill('SIGKILL')
    end('an unreadable reply', false)
  })
  child.on('exit', (code, signal) => end(signal ?? `exit code ${code}`, signal === memorySignal))
  // Not started, or not reachable any more: either way it is of no use.
  child.on('error', (error) => {
    child.kill('SIGKILL')
    end(error.message, false)
  })
  return {
    processId: child.pid,
    ask: (requests) => {
      const message: ReaderBatch = { batch: requests.map(sendable) }
      child.send(message)
    },
    kill: () => {
      child.kill('SIGKILL')
    },
    keepParentAlive: (keep) => {
      if (keep) {
        child.ref()
        child.channel?.ref()
      } else {
        child.unref()
        child.channel?.unref()
      }
    },
  }
}
