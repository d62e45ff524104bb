import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Waiting } from '../../src/ingest/download-retry.ts'
import { lookupWith } from '../../src/ingest/lookup.ts'
import type { Lookup } from '../../src/pipeline/types.ts'
import { scratchFolder } from '../store/scratch-store.ts'
import { type Behaviour, ok, type ScriptedServer, serve, status } from './download-server.ts'

const looking = async (
  ...script: readonly Behaviour[]
): Promise<{ lookup: Lookup; server: ScriptedServer; slept: readonly number[] }> => {
  const server = await serve(...script)
  onTestFinished(() => server[Symbol.asyncDispose]())
  const slept: number[] = []
  const waiting: Waiting = { now: () => 0, random: () => 1, sleep: async (ms) => void slept.push(ms) }
  const signal = new AbortController().signal
  const lookup = lookupWith({ folder: scratchFolder(), signal, log: pino({ level: 'silent' }), waiting })
  return { lookup, server, slept }
}

const cut: Behaviour = (_request, response) => void response.destroy()

describe.each(['text', 'head'] as const)('a lookup of the %s at a URL', (way) => {
  it('is tried again where the connection breaks, or the server is busy for a while', async () => {
    const { lookup, server, slept } = await looking(cut, status(503, { 'retry-after': '7' }), ok('found'))
    const found = await lookup[way](server.url)
    expect(typeof found === 'string' ? found : found.url).toBe(way === 'text' ? 'found' : server.url)
    expect(server.requests.map(({ method }) => method)).toEqual(Array(3).fill(way === 'text' ? 'GET' : 'HEAD'))
    expect(slept).toEqual([2000, 7000])
  })

  it.each([
    [404, 'SOURCE_RETIRED'],
    [403, 'SOURCE_FAILED'],
  ])('is over at once where the answer is %i', async (code, expected) => {
    const { lookup, server } = await looking(status(code))
    await expect(lookup[way](server.url)).rejects.toMatchObject({ code: expected })
    expect(server.requests).toHaveLength(1)
  })

  it('is given up where it always fails', async () => {
    const { lookup, server } = await looking(status(500))
    await expect(lookup[way](server.url)).rejects.toMatchObject({ code: 'SOURCE_FAILED' })
    expect(server.requests).toHaveLength(6)
  })
})
