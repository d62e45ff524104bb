/** `watch` on a gateway that asks for tokens. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { main } from '../../src/demo/processes.ts'
import { TokenFile } from '../../src/gateway/token-file.ts'
import { serve } from '../gateway/served.ts'

let folder: string
let tokens: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stichtag-watch-'))
  tokens = join(folder, 'tokens')
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

const item = 'shop://item/1'

const watching = async (url: string, args: string[], settings: NodeJS.ProcessEnv = {}) => {
  const env = { ...process.env, STICHTAG_HOME: join(folder, 'home'), STICHTAG_TOKEN: '', ...settings }
  const watch = spawn(process.execPath, [main, 'watch', item, '--http', url, ...args], { env })
  const ended = once(watch, 'exit')
  const words: string[] = []
  createInterface({ input: watch.stderr }).on('line', (line) => void words.push(line))
  return { watch, words, ended, lines: createInterface({ input: watch.stdout }) }
}

describe('watch on a gateway that asks for tokens', () => {
  it.each([
    ['of a file', () => ['--token-file', tokens], {}],
    ['of the environment', () => [], { STICHTAG_TOKEN: 'good' }],
  ])('is let in with the token %s, and prints each update as JSON', async (_what, args, settings) => {
    writeFileSync(tokens, 'good\n')
    const authority = new TokenFile(tokens, pino({ level: 'silent' }))
    const { source, url } = await serve({ 1: 'a' }, {}, { authority })
    const { watch, words, lines, ended } = await watching(url, ['--json', ...args()], settings)
    await expect.poll(() => words.join('\n'), { timeout: 8000 }).toContain('watching')
    const line = once(lines, 'line')
    source.publish({ 1: 'A' })
    expect(JSON.parse(String(await line))).toEqual({ at: expect.stringMatching(/^20/), uri: item })
    watch.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    authority.close()
  })

  it('says what is missing where it has none, or a wrong one', async () => {
    writeFileSync(tokens, 'good\n')
    const authority = new TokenFile(tokens, pino({ level: 'silent' }))
    const { url } = await serve({ 1: 'a' }, {}, { authority })
    for (const [settings, said] of [
      [{}, '--token-file'],
      [{ STICHTAG_TOKEN: 'wrong' }, 'does not know this token'],
    ] as const) {
      const { words, ended } = await watching(url, [], settings)
      expect(await ended).toEqual([2, null])
      expect(words.join('\n')).toContain(said)
    }
    authority.close()
  })
})
