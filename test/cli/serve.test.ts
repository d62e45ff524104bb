/** `serve` as a process: how it ends, and what it does not start with. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { main, startCommand } from '../../src/demo/processes.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'stichtag-serve-'))
})
afterEach(() => {
  rmSync(home, { recursive: true })
})

const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
}

describe('serve --stdio', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('ends with 0 on %s though its host keeps stdin open', async (signal) => {
    const env = { ...process.env, STICHTAG_HOME: home, STICHTAG_LOG: 'silent' }
    const gateway = spawn(process.execPath, [main, 'serve', '--stdio'], { env, stdio: ['pipe', 'pipe', 'inherit'] })
    const lines = createInterface({ input: gateway.stdout })
    gateway.stdin.write(`${JSON.stringify(initialize)}\n`)
    const [answer] = await once(lines, 'line')
    expect(JSON.parse(answer)).toMatchObject({ id: 0, result: { serverInfo: { name: 'stichtag' } } })
    const ended = once(gateway, 'exit')
    gateway.kill(signal)
    expect(await ended).toEqual([0, null])
  })
})

describe('serve', () => {
  const env = () => ({ ...process.env, STICHTAG_HOME: home, STICHTAG_LOG: 'info' })

  const run = async (...args: string[]): Promise<{ status: unknown; words: string }> => {
    const child = spawn(process.execPath, [main, 'serve', ...args], { env: env(), stdio: ['ignore', 'ignore', 'pipe'] })
    let words = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      words += text
    })
    const [status] = await once(child, 'close')
    return { status, words }
  }

  it('does not start with a folder of schemas that is none', async () => {
    const { status, words } = await run('--http', '0', '--schemas', join(home, 'nowhere'))
    expect(status).toBe(2)
    expect(words).toContain('there is no such folder')
  })

  it('does not start for a dataset that nothing can ever make, and names those there are', async () => {
    const { status, words } = await run('--http', '0', '--datasets', 'offenregister')
    expect(status).toBe(2)
    expect(words).toContain('Did you mean offeneregister?')
    expect(words).toContain('unsc')
  })

  it('waits for a dataset that a pipeline can make, and says so', async () => {
    mkdirSync(join(home, 'pipelines', 'later'), { recursive: true })
    writeFileSync(join(home, 'pipelines', 'later', 'index.mjs'), 'export default () => ({})\n')
    const gateway = startCommand(['serve', '--http', '127.0.0.1:0', '--datasets', 'later'], env())
    try {
      expect(await gateway.line((line) => line.dataset === 'later')).toMatchObject({
        msg: expect.stringContaining('stichtag ingest later'),
      })
      const { url } = await gateway.line((line) => typeof line.url === 'string')
      const ready = await fetch(String(url).replace('/mcp', '/readyz'))
      expect([ready.status, await ready.json()]).toMatchObject([503, { missing: ['later'] }])
    } finally {
      await gateway.stop()
    }
  })
})
