/**
 * The events that a legacy session may have missed: for each thing that can change, only the last event about it. So it
 * is bounded by the session's subscriptions, nothing ever falls out of it, and a host that names the last event it saw
 * gets all that it missed, each once.
 *
 * What was written to a stream may never have arrived: a connection can be dead without anybody knowing. So a host that
 * opens another stream and names no event gets again whatever it has not shown to know: by naming a later event, or by
 * reading since what it was told of.
 */
import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server'
import type { ChangingList } from './list-change.ts'

/** The SDK's name of the stream that a GET opens. It is the only one with events: POSTs are answered in one piece. */
const getStream = '_GET_stream'

/** In place of an event's id: resumes from all that the host has not shown to know. */
export const unseen = 'unseen'

interface Event {
  readonly id: number
  readonly message: JSONRPCMessage
  /** The host has since read what it is about. */
  isKnown: boolean
}

const updated = (uri: string): string => `notifications/resources/updated ${uri}`

const subjectOf = (message: JSONRPCMessage): string => {
  if (!('method' in message)) return 'response'
  const uri = message.params?.uri
  return typeof uri === 'string' ? `${message.method} ${uri}` : message.method
}

export class SessionEvents implements EventStore {
  #lastId = 0
  /** The latest event that the host named as seen. */
  #seen = 0
  /** By subject, oldest first. */
  readonly #events = new Map<string, Event>()

  /** Where a host that names no event resumes from: `unseen` where anything is, and as the id of an event. */
  get start(): { readonly from: typeof unseen | null; readonly id: string } {
    const isAnyUnseen = [...this.#events.values()].some((event) => this.#isUnseen(event))
    return isAnyUnseen ? { from: unseen, id: String(this.#seen) } : { from: null, id: String(this.#lastId) }
  }

  /** An id that this session can resume from: the given one, or the oldest where it never gave that. */
  resumable(lastEventId: string): string {
    const id = Number(lastEventId)
    return Number.isInteger(id) && id >= 0 && id <= this.#lastId ? String(id) : '0'
  }

  /** The host named an event as the last that it saw. */
  saw(lastEventId: string): void {
    this.#seen = Math.max(this.#seen, Number(this.resumable(lastEventId)))
  }

  /** The host has read what it was last told of, at a URI, or a list. */
  known(subject: { readonly uri: string } | { readonly list: ChangingList }): void {
    const about = 'uri' in subject ? updated(subject.uri) : `notifications/${subject.list}/list_changed`
    const event = this.#events.get(about)
    if (event !== undefined) event.isKnown = true
  }

  /** The host gave a subscription up: nothing more is sent about it. */
  forget(uri: string): void {
    this.#events.delete(updated(uri))
  }

  async storeEvent(_streamId: string, message: JSONRPCMessage): Promise<string> {
    const id = this.#lastId + 1
    this.#lastId = id
    const subject = subjectOf(message)
    this.#events.delete(subject)
    this.#events.set(subject, { id, message, isKnown: false })
    return String(id)
  }

  async replayEventsAfter(
    lastEventId: string,
    { send }: { send: (eventId: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const after = Number(this.resumable(lastEventId))
    const isWanted = lastEventId === unseen ? this.#isUnseen.bind(this) : ({ id }: Event) => id > after
    for (const event of [...this.#events.values()].filter(isWanted)) await send(String(event.id), event.message)
    return getStream
  }

  #isUnseen({ id, isKnown }: Event): boolean {
    return id > this.#seen && !isKnown
  }
}
