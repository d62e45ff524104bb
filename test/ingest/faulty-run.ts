/**
 * Ingests deliveries into stores, and meets a fault on the way. Each line of stdin is a run to make, as JSON: `root` of
 * the store, `from`, `fault`, `where`. `where` is a step, from which on the
 * fault is there, or the number of the write that it meets. Faults:
 * `kill` (SIGKILL), `throw`, `full` (the disk is full for one write), `full for good`. Prints each result as JSON.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import Database from 'better-sqlite3'

interface FaultyRun {
  readonly root: string
  readonly from: string
  readonly fault: string
  readonly where: string
}

/** The run that is being made; between two runs there are no faults. */
let run: FaultyRun | undefined
let writes = 0
let isArmed = false

const meet = (makeFull: () => Error): void => {
  if (run?.fault.startsWith('full') !== true) return
  writes += 1
  if (writes === Number(run.where)) isArmed = true
  if (!isArmed) return
  isArmed = run.fault === 'full for good'
  throw makeFull()
}

const noSpace = (): Error => Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
const sqliteFull = (): Error => new Database.SqliteError('database or disk is full', 'SQLITE_FULL')

type Method = (this: unknown, ...args: unknown[]) => unknown

/** Replaces methods of an object by ones that meet the fault first. */
const meetingIn = (target: object, names: readonly string[], makeFull: () => Error): void => {
  for (const name of names) {
    // Each of these names is a method of its object.
    const method = Reflect.get(target, name) as Method
    Reflect.set(target, name, function (this: unknown, ...args: unknown[]) {
      meet(makeFull)
      return method.apply(this, args)
    })
  }
}

/** The delivery is read twice: to be hashed, and to be loaded. */
let readings = 0
const { createReadStream } = fs
const interrupted = (source: AsyncIterable<unknown>): Readable =>
  Readable.from(
    (async function* () {
      for await (const chunk of source) {
        reach('read')
        yield chunk
      }
    })(),
  )
fs.createReadStream = (...args: Parameters<typeof createReadStream>) => {
  const stream = createReadStream(...args)
  if (args[0] !== run?.from) return stream
  readings += 1
  // Whoever reads it does so chunk by chunk, and asks for nothing that only a stream of a file has.
  return readings === 2 ? (interrupted(stream) as unknown as typeof stream) : stream
}
meetingIn(fs, ['mkdirSync', 'symlinkSync', 'linkSync', 'writeFileSync', 'renameSync', 'createWriteStream'], noSpace)
/** Comes to a step of the run: what is armed there strikes at once, or at the next write. */
const reach = (step: string): void => {
  if (step !== run?.where) return
  if (run.fault === 'kill') {
    process.kill(process.pid, 'SIGKILL')
    for (;;); // until the signal is there
  }
  if (run.fault === 'throw') throw new Error(`broken at ${step}`)
  isArmed = true
}

const { open } = fs.promises
fs.promises.open = async (...args: Parameters<typeof open>) => {
  // The first bytes of the delivery, by which it is told how to open it.
  if (args[0] === run?.from && args[1] === undefined) reach('open')
  const handle = await open(...args)
  if (args[1] === 'a') meetingIn(handle, ['appendFile'], noSpace)
  return handle
}
syncBuiltinESMExports()
const scratch = new Database(':memory:')
meetingIn(Object.getPrototypeOf(scratch.prepare('SELECT 1')), ['run'], sqliteFull)
meetingIn(Database.prototype, ['exec'], sqliteFull)
scratch.close()

// Only now: what is imported below writes through the functions above.
const { ingest } = await import('./ingesting.ts')
const { places } = await import('../pipeline/places.ts')

const onProgress = ({ step }: { step: string }): void => reach(step)

const made = async ({ root, from }: FaultyRun): Promise<unknown> => {
  const isRemote = from.startsWith('http')
  const archive = from.endsWith('.zip') ? { archive: { member: '*.jsonl' } } : {}
  const sources = places.sources.map((each) => ({ ...each, ...archive, ...(isRemote ? { url: from } : {}) }))
  const map: typeof places.map = (record, context) => {
    reach('map')
    places.map(record, context)
  }
  const definition = { ...places, sources, map }
  return ingest({ root, origin: 'global' }, isRemote ? undefined : from, { onProgress, definition })
}

for await (const line of createInterface({ input: process.stdin })) {
  // Written by the test, of this shape.
  const asked = JSON.parse(line) as FaultyRun
  run = asked
  writes = 0
  readings = 0
  isArmed = false
  const result = await made(asked)
  run = undefined
  process.stdout.write(`${JSON.stringify(result)}\n`)
}
