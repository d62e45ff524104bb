/** `stichtag diff`: what changed between two versions, field by field. */
import { diffRange, eachChange } from '../ingest/diff.ts'
import { openTitles } from '../ingest/record-titles.ts'
import type { Change, ChangeValue } from '../store/changes.ts'
import { type StoreFlags, storeHolding } from './stores.ts'
import { terminal } from './terminal.ts'

const signs = { added: '+', removed: '-', changed: '~' } as const

/** Differences of one kind in one table that people are shown: of a timetable there may be a million. */
const mostShown = 50
const longestTitle = 100

const shown = (value: ChangeValue): string => (value === null ? 'NULL' : JSON.stringify(value))

const lines = ({ table, key, op, fields }: Change, title: string | undefined): string =>
  [
    `${signs[op]} ${table} ${key.map(shown).join(' ')}${title === undefined ? '' : ` ${title.slice(0, longestTitle)}`}`,
    ...Object.entries(fields ?? {}).map(
      ([column, [before, after]]) => `    ${column}: ${shown(before)} → ${shown(after)}`,
    ),
  ].join('\n')

export const diff = async (
  dataset: string,
  from: string | undefined,
  to: string | undefined,
  flags: StoreFlags & { readonly all?: boolean; readonly json?: boolean },
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
  const titles = { old: openTitles(store, dataset, range.from), new: openTitles(store, dataset, range.to) }
  const counts = new Map<string, number>()
  try {
    eachChange(store, dataset, range, (change) => {
      const kind = `${signs[change.op]} ${change.table}`
      const count = (counts.get(kind) ?? 0) + 1
      counts.set(kind, count)
      if (flags.all !== true && count > mostShown) return
      terminal.print(lines(change, (change.op === 'removed' ? titles.old : titles.new).titleOf(change)))
    })
  } finally {
    titles.old.close()
    titles.new.close()
  }
  if (flags.all === true) return 0
  for (const [kind, count] of counts) {
    if (count > mostShown) terminal.print(`${kind}: ${count - mostShown} more (--all shows them)`)
  }
  return 0
}
