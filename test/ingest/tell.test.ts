import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { commandWords } from '../../src/ingest/hook-command.ts'
import type { RunResult } from '../../src/ingest/run.ts'
import { tellOf } from '../../src/ingest/tell.ts'
import { postWebhook } from '../../src/ingest/webhook.ts'
import { scratchFolder } from '../store/scratch-store.ts'
import { type Behaviour, serve, status } from './download-server.ts'

const published: RunResult = {
  dataset: 'places',
  outcome: 'published',
  version: '20261201T030512Z-3f9a1c2b',
  previous: null,
  rows: { place: 1 },
  rejected: 0,
  changes: {},
  seconds: 1,
}

/** Tells, and gives what was logged. */
const tell = async (result: RunResult, to: { hook?: string; webhook?: string }): Promise<string> => {
  const logged: string[] = []
  const log = pino({ base: null }, { write: (line: string) => void logged.push(line) })
  await tellOf(result, { hook: to.hook, webhook: to.webhook, signal: new AbortController().signal, log })
  return logged.join('')
}

/** A program that writes down what it is told. */
const recorder = (name = 'hook.mjs') => {
  const folder = scratchFolder()
  const path = join(folder, name)
  const seen = join(folder, 'seen.json')
  writeFileSync(
    path,
    `#!${process.execPath}
import { readFileSync, writeFileSync } from 'node:fs'
const { STICHTAG_DATASET, STICHTAG_OUTCOME } = process.env
const told = JSON.parse(readFileSync(0, 'utf8'))
writeFileSync(${JSON.stringify(seen)}, JSON.stringify({ told, args: process.argv.slice(2), STICHTAG_DATASET, STICHTAG_OUTCOME }))
`,
  )
  chmodSync(path, 0o755)
  return { path, seen: (): unknown => (existsSync(seen) ? JSON.parse(readFileSync(seen, 'utf8')) : undefined) }
}

describe('the hook', () => {
  it('gets the result on its stdin, and dataset and outcome in its environment', async () => {
    const { path, seen } = recorder()
    expect(await tell(published, { hook: `${process.execPath} ${path} --to "a b"` })).toBe('')
    expect(seen()).toEqual({
      told: published,
      args: ['--to', 'a b'],
      STICHTAG_DATASET: 'places',
      STICHTAG_OUTCOME: 'published',
    })
  })

  it('may be a path with spaces', async () => {
    const { path, seen } = recorder('my hook.mjs')
    await tell(published, { hook: path })
    expect(seen()).toMatchObject({ told: published, args: [] })
  })

  it.each(['refused', 'failed'] as const)('is told that a run %s', async (outcome) => {
    const { path, seen } = recorder()
    await tell({ ...published, outcome, reason: { code: 'GUARD', message: 'why' } }, { hook: path })
    expect(seen()).toMatchObject({ told: { outcome, reason: { code: 'GUARD' } } })
  })

  it.each<[string, RunResult]>([
    ['found nothing new', { ...published, outcome: 'unchanged' }],
    ['found the lock taken', { ...published, outcome: 'busy' }],
    ['was cancelled', { ...published, outcome: 'failed', reason: { code: 'CANCELLED', message: '' } }],
  ])('is not told of a run that %s', async (_, result) => {
    const { path, seen } = recorder()
    await tell(result, { hook: path })
    expect(seen()).toBeUndefined()
  })

  it.each([
    ['fails', `${process.execPath} -e "process.exit(7)"`, 'the hook ended with 7'],
    ['is not there', '/no/such/program', 'ENOENT'],
    ['is no command', '"open', 'has no end'],
  ])('that %s is logged, and changes nothing', async (_, hook, why) => {
    expect(await tell(published, { hook })).toContain(why)
  })

  it('need not read what it is told, however long that is', async () => {
    const long = { ...published, reason: { code: 'GUARD', message: 'x'.repeat(1_000_000) } }
    expect(await tell(long, { hook: `${process.execPath} -e 0` })).toBe('')
  })

  it('is split into words, and never read by a shell', () => {
    expect(commandWords(`run  'it''s' "a \\"b\\" $HOME" c\\ d; rm *`)).toEqual([
      'run',
      'its',
      'a "b" $HOME',
      'c d;',
      'rm',
      '*',
    ])
    expect(commandWords(`a ''`)).toEqual(['a', ''])
  })
})

describe('the webhook', () => {
  const bodies: string[] = []
  const receiving: Behaviour = (request, response) => {
    request.setEncoding('utf8').on('data', (text: string) => bodies.push(text))
    request.on('end', () => response.writeHead(204).end())
  }
  const patient = { now: () => 0, random: () => 0, sleep: async () => undefined }
  const signal = new AbortController().signal

  it('gets the result as JSON by POST', async () => {
    bodies.length = 0
    await using server = await serve(receiving)
    expect(await tell(published, { webhook: server.url })).toBe('')
    expect(server.requests).toMatchObject([{ method: 'POST', headers: { 'content-type': 'application/json' } }])
    expect(JSON.parse(bodies.join(''))).toEqual(published)
  })

  it('is tried again where it is out of order for a moment, three times in all', async () => {
    await using server = await serve(status(503), status(429), receiving)
    await postWebhook(server.url, published, { signal, waiting: patient })
    expect(server.requests).toHaveLength(3)
    await using broken = await serve(status(500))
    await expect(postWebhook(broken.url, published, { signal, waiting: patient })).rejects.toThrow('answered 500')
    expect(broken.requests).toHaveLength(3)
  })

  it('that does not take it is logged without its address, which is a secret', async () => {
    await using server = await serve(status(403))
    const logged = await tell(published, { webhook: `${server.url}?key=abc` })
    expect(logged).toContain('answered 403')
    expect(logged).not.toMatch(/abc|register\.csv/)
    expect(server.requests).toHaveLength(1)
  })

  it('that nobody answers is logged', async () => {
    expect(await tell(published, { webhook: 'nonsense' })).toContain('STICHTAG_WEBHOOK is no URL')
    await expect(
      postWebhook('http://127.0.0.1:1/secret', published, { signal, waiting: patient }),
    ).rejects.toMatchObject({ code: 'SOURCE_UNREACHABLE', message: expect.not.stringContaining('secret') })
  })
})
