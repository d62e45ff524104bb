/**
 * How much of the current snapshot a delivery by hand still has. Somebody may take another feed's file for this one's: it
 * has the same tables, as many rows, and no record in common. Pure.
 */
import type { Manifest } from '../store/manifest.ts'

/** Below this share of keys that stayed, a table holds something else than before. */
const leastShared = 0.05
/** With fewer rows a table says nothing: a handful may well be replaced. */
const leastRows = 20

/** What to warn of, by the name `shared-keys`, by the changes between two snapshots; none where enough records stayed. */
export const strangeKeys = (
  base: Pick<Manifest, 'tables' | 'version'> | null,
  { tables, changes }: Pick<Manifest, 'tables' | 'changes'>,
): NonNullable<Manifest['guardWarnings']> => {
  const compared = (base?.tables ?? []).flatMap(({ name, rows, key }) => {
    const change = changes[name]
    const isTold =
      key.length > 0 && rows >= leastRows && change !== undefined && tables.some((each) => each.name === name)
    return isTold ? [{ name, rows, stayed: rows - change.removed }] : []
  })
  const rows = compared.reduce((sum, each) => sum + each.rows, 0)
  const stayed = compared.reduce((sum, each) => sum + each.stayed, 0)
  if (base === null || rows === 0 || stayed >= rows * leastShared) return []
  const counts = compared.map((each) => `${each.name} ${each.stayed} of ${each.rows}`).join(', ')
  return [
    {
      guard: 'shared-keys',
      message:
        `hardly a record of ${base.version}, current until then, is in it by its key (${counts}): is it another ` +
        "publisher's file?",
    },
  ]
}
