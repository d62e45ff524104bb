/** `stichtag diff`: what changed between two versions, field by field. */
import { diffRange, eachChange } from '../ingest/diff.ts'
import type { Change, ChangeValue } from '../store/changes.ts'
import { type StoreFlags, storeHolding } from './stores.ts'
import { terminal } from './terminal.ts'

const signs = { added: '+', removed: '-', changed: '~' } as const

const shown = (value: ChangeValue): string => (value === null ? 'NULL' : JSON.stringify(value))

const lines = ({ table, key, op, fields }: Change): string =>
  [
    `${signs[op]} ${table} ${key.map(shown).join(' ')}`,
    ...Object.entries(fields ?? {}).map(
      ([column, [before, after]]) => `    ${column}: ${shown(before)} → ${shown(after)}`,
    ),
  ].join('\n')

export const diff = async (
  dataset: string,
  from: string | undefined,
  to: string | undefined,
  flags: StoreFlags & { readonly json?: boolean },
): Promise<number> => {
  const store = storeHolding(flags, dataset)
  const range = diffRange(store, dataset, from, to)
  if (range === null) {
    if (flags.json === true) terminal.json([])
    else
      terminal.note(
        `${dataset}: the current snapshot is the first one, or the first with real data; there is nothing to compare it with`,
      )
    return 0
  }
  if (flags.json === true) {
    const changes: Change[] = []
    eachChange(store, dataset, range, (change) => changes.push(change))
    terminal.json(changes)
    return 0
  }
  terminal.note(`${dataset}: ${range.from} → ${range.to}`)
  eachChange(store, dataset, range, (change) => terminal.print(lines(change)))
  return 0
}
