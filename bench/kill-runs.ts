/**
 * Kills ingests at random moments, over and over, and looks after each kill whether the current snapshot is still what it
 * was, byte for byte, or a whole new one:
 *
 *     node bench/kill-runs.ts 200
 *
 * The tests do the same with ten kills.
 */
import { spawn } from 'node:child_process'
import { createHash, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { main, runCommand } from '../src/demo/processes.ts'
import { companyLines } from './generate-companies.ts'

export interface KillReport {
  readonly kills: number
  /** Runs that were over before their moment came. */
  readonly tooQuick: number
  /** Kills after which the pointer had moved already. */
  readonly afterPublish: number
  /** What was wrong, with the moments that led there. */
  readonly faults: readonly string[]
  /** Half-written names and work areas that the last run left behind. */
  readonly leftovers: readonly string[]
}

const companies = 4000

const sha256 = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')

const integrity = (path: string): unknown => {
  const database = new Database(path, { readonly: true })
  try {
    return database.pragma('integrity_check', { simple: true })
  } finally {
    database.close()
  }
}

interface Scene {
  readonly env: NodeJS.ProcessEnv
  readonly pointer: string
  readonly folder: string
}

const ingest = async ({ env }: Scene, file: string): Promise<void> => {
  const { status } = await runCommand(['ingest', 'offeneregister', '--from', file], env)
  if (status !== 0) throw new Error(`an undisturbed ingest of ${file} ended with ${status}`)
}

/** Starts an ingest and kills it after so many milliseconds; true where it was killed. */
const killedAfter = async ({ env }: Scene, file: string, ms: number): Promise<boolean> => {
  const child = spawn(process.execPath, [main, 'ingest', 'offeneregister', '--from', file], {
    env,
    stdio: 'ignore',
    timeout: ms,
    killSignal: 'SIGKILL',
  })
  const [, signal] = await once(child, 'exit')
  return signal === 'SIGKILL'
}

const sceneIn = (root: string): Scene => ({
  env: { ...process.env, STICHTAG_HOME: root, STICHTAG_LOG: 'warn' },
  pointer: join(root, 'data', 'openregister.db'),
  folder: join(root, 'data', 'snapshots', 'offeneregister'),
})

/** Kills so many runs at random moments. */
export const killRuns = async (kills: number): Promise<KillReport> => {
  const work = await mkdtemp(join(tmpdir(), 'stichtag-kills-'))
  try {
    const write = (name: string, changed: number): string => {
      const path = join(work, name)
      writeFileSync(path, [...companyLines({ count: companies, seed: 1, changed })].join(''))
      return path
    }
    const [first, tried, last] = [write('first.jsonl', 0), write('tried.jsonl', 0.5), write('last.jsonl', 0.3)]
    const scene = sceneIn(join(work, 'store'))
    await ingest(scene, first)
    const duration = await durationOf(join(work, 'measured'), first, tried)
    const report = await killLoop(scene, [first, tried], kills, duration)
    await ingest(scene, last)
    const names = [...readdirSync(scene.folder), ...readdirSync(join(scene.folder, '..', '..'))]
    return { ...report, leftovers: names.filter((name) => name.startsWith('.')) }
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/** How long the run takes when nobody disturbs it, in milliseconds. */
const durationOf = async (root: string, first: string, tried: string): Promise<number> => {
  const scene = sceneIn(root)
  await ingest(scene, first)
  const before = performance.now()
  await ingest(scene, tried)
  return Math.ceil(performance.now() - before)
}

const killLoop = async (
  scene: Scene,
  deliveries: readonly [string, string],
  wanted: number,
  measured: number,
): Promise<Omit<KillReport, 'leftovers'>> => {
  let file = realpathSync(scene.pointer)
  let bytes = sha256(file)
  let [current, tried] = deliveries
  const faults: string[] = []
  let duration = measured
  let kills = 0
  let tooQuick = 0
  let afterPublish = 0
  while (kills < wanted && tooQuick < 10 * wanted) {
    const ms = randomInt(1, duration)
    const started = performance.now()
    if (await killedAfter(scene, tried, ms)) kills += 1
    else {
      // The machine is quicker than when it was measured: the moments are taken from what it needs now.
      tooQuick += 1
      duration = Math.max(2, Math.min(duration, Math.floor(performance.now() - started)))
    }
    const target = realpathSync(scene.pointer)
    const where = `kill ${kills} after ${ms} of ${duration} ms`
    if (integrity(target) !== 'ok') faults.push(`${where}: ${target} is damaged`)
    if (sha256(file) !== bytes) faults.push(`${where}: the snapshot that was current is not what it was`)
    if (target !== file) {
      // It had been published: from here on the other delivery is the new one. A rollback would have this one held.
      afterPublish += 1
      file = target
      bytes = sha256(target)
      ;[current, tried] = [tried, current]
    }
  }
  return { kills, tooQuick, afterPublish, faults }
}

if (import.meta.main) {
  const report = await killRuns(Number(process.argv[2] ?? 200))
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
  process.exitCode = report.faults.length + report.leftovers.length > 0 ? 1 : 0
}
