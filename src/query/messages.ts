/** What goes over the channel between the pool and one reader process, as JSON. One batch is under way at a time. */
import { z } from 'zod'
import type { SentRequest } from './sendable.ts'
import type { DigestsRequest, RecordPage, RecordPageRequest, RowsRequest } from './types.ts'

/** What a reader is asked. */
export type ReaderRequest =
  | { readonly kind: 'rows'; readonly request: RowsRequest }
  | { readonly kind: 'digests'; readonly request: DigestsRequest }
  /** Of a record with more than `mostRows` related rows comes word that it is long, and nothing else. */
  | { readonly kind: 'page'; readonly request: RecordPageRequest; readonly mostRows: number }

/** Parent to reader: requests that are run and answered one after the other. */
export interface ReaderBatch {
  readonly batch: readonly SentRequest[]
}

/** What a reader answers to `page`. */
export type PageAnswer = { readonly page: RecordPage | null } | 'long'

/** Reader to parent. */
export type ReaderReply =
  /** Sent once, when the process can take requests. */
  | { readonly kind: 'ready' }
  /** To the next request. `spent`: the process holds much memory and wants to be replaced, so that the next request has it all. */
  | { readonly kind: 'answer'; readonly answer: unknown; readonly spent: boolean }
  | { readonly kind: 'failure'; readonly code: string; readonly message: string; readonly spent: boolean }
  /** The rest of the batch is not run: those before took long, and other processes may be idle. */
  | { readonly kind: 'rest' }

/**
 * Checks a reply's envelope. What is in `answer` follows from the request: the reader is our own module, and checking
 * each of thousands of rows again would cost more than reading them.
 */
export const readerReplySchema: z.ZodType<ReaderReply> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('answer'), answer: z.unknown(), spent: z.boolean() }),
  z.object({ kind: z.literal('failure'), code: z.string(), message: z.string(), spent: z.boolean() }),
  z.object({ kind: z.literal('rest') }),
])
