/** Between node:http and the web's Request and Response, which the SDK speaks. */
import type { IncomingMessage, ServerResponse } from 'node:http'

/** Bytes of a stream that its host has not taken; past that it is cut, and the host resumes or starts again. */
const defaultMostUnsent = 16 * 1024 * 1024

export type Body =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'not json' }
  | { readonly kind: 'too large' }

/** Reads a request's body, and at most `mostBytes` of it. Rejects where the client went away. */
export const readBody = async (request: IncomingMessage, mostBytes: number): Promise<Body> => {
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) return { kind: 'too large' }
  const text = await readText(request, mostBytes)
  if (text === undefined) return { kind: 'too large' }
  try {
    return { kind: 'json', value: JSON.parse(text) }
  } catch (error) {
    if (error instanceof SyntaxError) return { kind: 'not json' }
    throw error
  }
}

/** By events: iterating over the stream costs twice as much. Undefined where there is too much, the rest of which is not read. */
const readText = (request: IncomingMessage, mostBytes: number): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    // Without an encoding set, a request's chunks are Buffers.
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.byteLength
      if (bytes <= mostBytes) return void chunks.push(chunk)
      // Not destroyed: its connection has the answer yet to carry.
      request.pause()
      resolve(undefined)
    })
    request.on('end', () => resolve((chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))?.toString('utf8') ?? ''))
    request.on('error', reject)
    request.on('close', () => {
      if (!request.complete) reject(new Error('the client went away'))
    })
  })

/** A request's head: its body is handed on parsed, and nobody looks at its URL. */
export const webRequest = (request: IncomingMessage, signal: AbortSignal): Request => {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return new Request('http://localhost/mcp', { method: request.method ?? 'GET', headers, signal })
}

/** Turns a request away, as a JSON-RPC error with an HTTP status. */
export type Refuse = (
  status: number,
  code: number,
  message: string,
  headers?: Record<string, string>,
) => Promise<OpenStream | undefined>

/** A JSON-RPC error that belongs to no request in particular. */
export const errorResponse = (
  status: number,
  code: number,
  message: string,
  headers: Record<string, string> = {},
): Response => Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers })

/** A stream that was opened for a host. */
export interface OpenStream {
  /** Resolves when it has ended, from whichever side. */
  readonly ended: Promise<void>
}

/**
 * Writes an answer. What is complete is written and done; a stream is begun, with `first` as its first bytes, so that
 * the host knows at once that it is open, and goes on until either side ends it.
 */
export const sendResponse = async (
  response: Response,
  outgoing: ServerResponse,
  first = '',
  mostUnsent = defaultMostUnsent,
): Promise<OpenStream | undefined> => {
  if (outgoing.destroyed || outgoing.writableEnded) {
    await response.body?.cancel()
    return undefined
  }
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  if (response.body === null || !isStream) {
    // As text, which is all that is ever answered, head and body are written in one piece.
    const text = await response.text()
    const length = Buffer.byteLength(text)
    outgoing.writeHead(response.status, { ...Object.fromEntries(response.headers), 'content-length': length })
    outgoing.end(text)
    return undefined
  }
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  outgoing.flushHeaders()
  if (first !== '') outgoing.write(first)
  return { ended: pump(response.body, outgoing, mostUnsent) }
}

/**
 * Copies a stream until it ends or the host goes away. What a host does not take is not waited for, but bounded. Reading
 * is ended by cancelling it, not by racing it against the end of the connection: that would keep every chunk until then,
 * which on a host's stream is weeks.
 */
const pump = async (body: ReadableStream<Uint8Array>, outgoing: ServerResponse, mostUnsent: number): Promise<void> => {
  const reader = body.getReader()
  let cancelling: Promise<void> | undefined
  const cancel = (): Promise<void> => {
    cancelling ??= reader.cancel()
    return cancelling
  }
  // Should that fail, so does the cancelling below, which is the same.
  outgoing.once('close', () => cancel().catch(() => undefined))
  for (;;) {
    const { done, value } = await reader.read()
    if (outgoing.destroyed) return cancel()
    if (done) break
    outgoing.write(value)
    if (outgoing.writableLength <= mostUnsent) continue
    outgoing.destroy()
    return cancel()
  }
  outgoing.end()
}
