/** What goes over the channel between the pool and one reader process. One request is under way at a time. */
import { z } from 'zod'
import type { RecordsRequest, RowsRequest } from './types.ts'

/** Parent to reader. */
export type ReaderRequest =
  | { readonly kind: 'rows'; readonly request: RowsRequest }
  | { readonly kind: 'records'; readonly request: RecordsRequest }

/** Reader to parent. */
export type ReaderReply =
  /** Sent once, when the process can take requests. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly answer: unknown }
  | { readonly kind: 'failure'; readonly code: string; readonly message: string }

/**
 * Checks a reply's envelope. What is in `answer` follows from the request: the reader is our own module, and checking
 * each of thousands of rows again would cost more than reading them.
 */
export const readerReplySchema: z.ZodType<ReaderReply> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('answer'), answer: z.unknown() }),
  z.object({ kind: z.literal('failure'), code: z.string(), message: z.string() }),
])
