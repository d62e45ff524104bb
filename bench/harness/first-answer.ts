/** Asks a server again and again until it answers for the first time. */
import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

const tryEveryMs = 3
const patienceMs = 120_000

const params = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'first-answer', version: '1.0.0' },
}
const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
const headers = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'content-length': String(Buffer.byteLength(body)),
}

/** The text of an answer with status 200; undefined where there is none yet. */
const askedOnce = (url: string, signal: AbortSignal): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    const asked = request(url, { method: 'POST', headers, agent: false, signal }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
        // A stream need not end after the answer.
        if (text.includes('"result"')) {
          resolve(text)
          asked.destroy()
        }
      })
      response.on('end', () => resolve(undefined))
      response.on('error', () => resolve(undefined))
    })
    asked.on('error', (error) => (signal.aborted ? reject(error) : resolve(undefined)))
    asked.end(body)
  })

/** Resolves when a server has answered a request to begin. */
export const mcpAnswers = async (url: string, signal: AbortSignal): Promise<void> => {
  const until = performance.now() + patienceMs
  while (performance.now() < until) {
    if ((await askedOnce(url, signal)) !== undefined) return
    await pause(tryEveryMs, undefined, { signal })
  }
  throw new Error(`${url} does not answer`)
}
