/** A run that is killed at any moment leaves the current snapshot current, and nothing behind after the next run. */
import { spawn } from 'node:child_process'
import { createHash, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, expect, it } from 'vitest'
import { companyLines } from '../../bench/generate-companies.ts'
import { main } from '../../src/demo/processes.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage | undefined
afterEach(() => stage?.close())

const write = (path: string, options: Parameters<typeof companyLines>[0]): string => {
  writeFileSync(path, [...companyLines(options)].join(''))
  return path
}

/** Starts an ingest and kills it after so many milliseconds. True where it was killed, false where it was quicker. */
const killedAfter = async ({ env }: Stage, file: string, ms: number): Promise<boolean> => {
  const child = spawn(process.execPath, [main, 'ingest', 'offeneregister', '--from', file, '--json'], {
    env,
    stdio: 'ignore',
    timeout: ms,
    killSignal: 'SIGKILL',
  })
  const [, signal] = await once(child, 'exit')
  return signal === 'SIGKILL'
}

const sha256 = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')

const integrity = (path: string): unknown => {
  const database = new Database(path, { readonly: true })
  try {
    return database.pragma('integrity_check', { simple: true })
  } finally {
    database.close()
  }
}

it('leaves the current snapshot current, byte for byte, whenever it is killed', async () => {
  const current = await openStage()
  stage = current
  const first = write(join(current.root, 'first.jsonl'), { count: 4000, seed: 1, changed: 0 })
  expect((await current.ingest(first)).outcome).toBe('published')
  const file = realpathSync(current.pointer)
  const bytes = sha256(file)

  const tried = write(join(current.root, 'tried.jsonl'), { count: 4000, seed: 1, changed: 0.5 })
  const measure = await openStage()
  await measure.ingest(first)
  const before = performance.now()
  await measure.ingest(tried)
  const duration = Math.ceil(performance.now() - before)
  await measure.close()

  const moments: number[] = []
  for (let kill = 0; kill < 10; kill += 1) {
    const ms = randomInt(1, duration)
    moments.push(ms)
    const wasKilled = await killedAfter(current, tried, ms)
    const target = realpathSync(current.pointer)
    const where = `killed at ${moments.join(', ')} of ${duration} ms`
    if (wasKilled && target === file) expect(sha256(file), where).toBe(bytes)
    expect(integrity(target), where).toBe('ok')
    if (target !== file) {
      // It was killed after the pointer had moved, or was quicker: back to where we were.
      expect((await current.run('rollback', 'offeneregister')).status, where).toBe(0)
    }
  }

  const third = write(join(current.root, 'third.jsonl'), { count: 4000, seed: 1, changed: 0.3 })
  expect(await current.ingest(third)).toMatchObject({ status: 0, outcome: 'published' })
  const folder = join(current.root, 'data', 'snapshots', 'offeneregister')
  const left = [...readdirSync(folder), ...readdirSync(join(current.root, 'data'))].filter((name) =>
    name.startsWith('.'),
  )
  expect(left).toEqual([])
}, 120_000)
