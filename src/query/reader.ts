/** One reader process as its parent sees it: started by fork, asked over its channel, ended by SIGKILL. */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { moduleExtension } from '../package-root.ts'
import { type ReaderReply, type ReaderRequest, readerReplySchema } from './messages.ts'
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
  ask(request: ReaderRequest): void
  /** Ends the process whatever it does; `end` follows. */
  kill(): void
  /** Lets the process keep its parent alive, or not: an idle one must not. */
  keepParentAlive(keep: boolean): void
}

const modulePath = fileURLToPath(new URL(`./reader-process${moduleExtension}`, import.meta.url))

/** Starts a reader process. Its first reply is `ready`. */
export const startReader = (memoryLimitBytes: number, events: ReaderEvents): Reader => {
  const child = fork(modulePath, [String(memoryLimitBytes)], {
    serialization: 'advanced',
    // Not the parent's own flags (an inspector's port, a test runner's loader).
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // stdout belongs to the parent's results or protocol.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
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
    ask: (request) => {
      child.send(request)
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
