/** `stichtag rollback` and `stichtag release`: moves of the pointer that people make. */
import type { Move } from '../ingest/move.ts'
import { release } from '../ingest/release.ts'
import { rollback } from '../ingest/rollback.ts'
import { type StoreFlags, writingStore } from './stores.ts'
import { terminal } from './terminal.ts'

type MoveFlags = StoreFlags & { readonly json?: boolean }

const report = (move: Move, flags: MoveFlags): number => {
  if (flags.json === true) terminal.json(move)
  else if (move.version === move.previous) terminal.print(`${move.dataset}: ${move.version} is current already`)
  else terminal.print(`${move.dataset}: ${move.version} is current now; before it was ${move.previous ?? 'none'}`)
  if (flags.json !== true) for (const warning of move.warnings ?? []) terminal.note(`warning: ${warning}`)
  return 0
}

export const rollbackCommand = async (
  dataset: string,
  version: string | undefined,
  flags: MoveFlags,
): Promise<number> => report(await rollback(writingStore(flags), dataset, version, () => new Date()), flags)

export const releaseCommand = async (dataset: string, version: string, flags: MoveFlags): Promise<number> =>
  report(await release(writingStore(flags), dataset, version, () => new Date()), flags)
