/**
 * What a host gets to see of an error. Only what this project words for hosts travels; everything else is a defect or
 * names the machine, so that the host gets one fixed sentence and the log gets the error.
 */
import { type JSONRPCMessage, ProtocolError } from '@modelcontextprotocol/server'
import { asStichtagError, type ErrorCode } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Era } from './options.ts'
import { currentRequest } from './request-context.ts'

/** JSON-RPC codes. `resourceNotFound` is what 2025-11-25 and older say; 2026-07-28 made it `invalidParams`. */
export const rpcCode = { invalidParams: -32602, internal: -32603, resourceNotFound: -32002 } as const

const ownWords = Symbol('the message of the error itself')

/** The table: a code's own message, or another one where its own names files. What is not listed does not travel. */
const wordings: Partial<Record<ErrorCode, string | typeof ownWords>> = {
  USAGE: ownWords,
  NOT_FOUND: ownWords,
  UNKNOWN_DATASET: ownWords,
  UNKNOWN_VERSION: ownWords,
  ARGUMENTS_INVALID: ownWords,
  STATEMENT_REFUSED: ownWords,
  QUERY_FAILED: ownWords,
  QUERY_TIMEOUT: ownWords,
  QUEUE_FULL: ownWords,
  GATEWAY_FULL: ownWords,
  CANCELLED: ownWords,
  DATABASE_MISSING: 'There is no data for this dataset yet. It is served as soon as it has been ingested.',
  SCHEMA_INVALID: 'The schema of this dataset is not valid, so that it is not served.',
}

const missing: ReadonlySet<ErrorCode> = new Set(['NOT_FOUND', 'UNKNOWN_DATASET', 'UNKNOWN_VERSION'])

/** What failed, for the log; `uri` where a resource was asked for, so that its absence can be told from bad parameters. */
export interface Failure {
  readonly method: string
  readonly uri?: string
}

/** An error as a host may see it: a code of {@link ErrorCode}, and words. */
export interface HostWords {
  readonly code: ErrorCode
  readonly message: string
  readonly mcp: number | 'result'
}

/** Words for the host, or `undefined` (and a line in the log) for what must not travel. */
export const hostWords = (thrown: unknown, { method }: Failure, log: Log): HostWords | undefined => {
  const error = asStichtagError(thrown)
  const wording = wordings[error.code]
  if (wording === undefined) {
    log[error.kind.level]({ err: thrown, ...currentRequest(), method }, 'a request failed')
    return undefined
  }
  // Its words may quote what was asked, which is logged only where that is wanted.
  log.debug({ code: error.code, ...currentRequest(), method }, 'a request was answered with an error')
  return { code: error.code, mcp: error.kind.mcp, message: wording === ownWords ? error.message : wording }
}

/** Any thrown value as the JSON-RPC error that a host gets. */
export const protocolError = (thrown: unknown, failure: Failure, log: Log): ProtocolError => {
  if (thrown instanceof ProtocolError) return thrown
  const words = hostWords(thrown, failure, log)
  if (words === undefined) return new ProtocolError(rpcCode.internal, 'Internal error')
  if (failure.uri !== undefined && missing.has(words.code)) {
    return new ProtocolError(rpcCode.invalidParams, words.message, { uri: failure.uri })
  }
  const isBadInput = words.code === 'ARGUMENTS_INVALID' || words.mcp === rpcCode.invalidParams
  return new ProtocolError(isBadInput ? rpcCode.invalidParams : rpcCode.internal, words.message)
}

const isResourceNotFound = (error: { code: number; data?: unknown }): boolean =>
  error.code === rpcCode.invalidParams &&
  typeof error.data === 'object' &&
  error.data !== null &&
  Object.keys(error.data).join() === 'uri'

/**
 * A message as the era words it. The SDK turns -32002 into -32602 on both eras; the text of 2025-11-25 says -32002, and
 * hosts of that time look for it.
 */
export const inWordsOf = (era: Era, message: JSONRPCMessage): JSONRPCMessage => {
  if (era === 'modern' || !('error' in message) || !isResourceNotFound(message.error)) return message
  return { ...message, error: { ...message.error, code: rpcCode.resourceNotFound } }
}
