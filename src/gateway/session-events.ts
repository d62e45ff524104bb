/**
 * The events that a legacy session may have missed: for each thing that can change, only the last event about it. So it
 * is bounded by the session's subscriptions, nothing ever falls out of it, and a host that names the last event it saw
 * gets all that it missed, each once.
 */
import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server'

/** The SDK's name of the stream that a GET opens. It is the only one with events: POSTs are answered in one piece. */
const getStream = '_GET_stream'

interface Event {
  readonly id: number
  readonly message: JSONRPCMessage
}

const subjectOf = (message: JSONRPCMessage): string => {
  if (!('method' in message)) return 'response'
  const uri = message.params?.uri
  return typeof uri === 'string' ? `${message.method} ${uri}` : message.method
}

export class SessionEvents implements EventStore {
  #lastId = 0
  /** By subject, oldest first. */
  readonly #events = new Map<string, Event>()

  /** Id of the newest event; `0` before the first. */
  get lastId(): string {
    return String(this.#lastId)
  }

  /** An id that this session can resume from: the given one, or the oldest where it never gave that. */
  resumable(lastEventId: string): string {
    const id = Number(lastEventId)
    return Number.isInteger(id) && id >= 0 && id <= this.#lastId ? String(id) : '0'
  }

  /** The host gave a subscription up: nothing more is sent about it. */
  forget(uri: string): void {
    this.#events.delete(`notifications/resources/updated ${uri}`)
  }

  async storeEvent(_streamId: string, message: JSONRPCMessage): Promise<string> {
    const id = this.#lastId + 1
    this.#lastId = id
    const subject = subjectOf(message)
    this.#events.delete(subject)
    this.#events.set(subject, { id, message })
    return String(id)
  }

  async replayEventsAfter(
    lastEventId: string,
    { send }: { send: (eventId: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const after = Number(this.resumable(lastEventId))
    for (const { id, message } of [...this.#events.values()]) {
      if (id > after) await send(String(id), message)
    }
    return getStream
  }
}
