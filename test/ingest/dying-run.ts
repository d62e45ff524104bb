/**
 * Does something to a store, and dies of SIGKILL on the way: before its n-th change to the file system or its n-th step
 * of progress, whichever comes. Ends with status 0 where it is done before that.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const [root = '', deathAt = '', command = '', argument = ''] = process.argv.slice(2)
const store = { root, origin: 'global' } as const
let left = Number(deathAt)

const approachDeath = (): void => {
  left -= 1
  if (left > 0) return
  process.kill(process.pid, 'SIGKILL')
  for (;;); // until the signal is there
}

const changing = <Args extends readonly unknown[], Result>(change: (...args: Args) => Result) => {
  return (...args: Args): Result => {
    approachDeath()
    return change(...args)
  }
}

fs.renameSync = changing(fs.renameSync)
fs.symlinkSync = changing(fs.symlinkSync)
fs.linkSync = changing(fs.linkSync)
fs.copyFileSync = changing(fs.copyFileSync)
// An ingest has so many that it would take minutes; its renames lie between them.
if (command !== 'ingest' && command !== 'delta') fs.fsyncSync = changing(fs.fsyncSync)
fs.chmodSync = changing(fs.chmodSync)
fs.rmSync = changing(fs.rmSync)
// The overloads of these two are more than a wrapper's type can say; it hands on whatever it is given.
fs.writeFileSync = changing(fs.writeFileSync as (...args: unknown[]) => void) as typeof fs.writeFileSync
fs.mkdirSync = changing(fs.mkdirSync as (...args: unknown[]) => undefined) as typeof fs.mkdirSync
syncBuiltinESMExports()

// Only now: what is imported below changes the file system through the functions above.
const { ingest } = await import('./ingesting.ts')
const { towns } = await import('./towns.ts')
const { release } = await import('../../src/ingest/release.ts')
const { rollback } = await import('../../src/ingest/rollback.ts')
const { prune } = await import('../../src/ingest/retention.ts')

const now = (): Date => new Date()
const commands: Readonly<Record<string, () => Promise<unknown>>> = {
  ingest: () => ingest(store, argument, { onProgress: approachDeath }),
  delta: () => ingest(store, argument, { definition: towns, onProgress: approachDeath }),
  rollback: () => rollback(store, 'places', undefined, now),
  release: () => release(store, 'places', argument, now),
  prune: () => prune(store, 'places', 1, new Date('2999-01-01T00:00:00Z')),
}
await commands[command]?.()
