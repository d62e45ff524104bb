/**
 * changes.db: the row-level difference between a snapshot and its base, one row per added, removed or changed record.
 *
 * Written by the ingest side (`ingest/compare.ts`), read by whoever shows changes. Records of a table without a key are
 * compared as a multiset: their `key` is all their values.
 */

/** What happened to a record. */
export type ChangeOp = 'added' | 'removed' | 'changed'

export const changeOps = ['added', 'removed', 'changed'] as const satisfies readonly ChangeOp[]

/** A value as it appears in changes: JSON, BLOBs as `{base64}`, integers beyond 2^53 as decimal text. */
export type ChangeValue = string | number | null | { readonly base64: string }

/** One difference. `fields` (old and new by column) is there for `changed` only. */
export interface Change {
  readonly table: string
  readonly key: readonly ChangeValue[]
  readonly op: ChangeOp
  readonly fields?: Readonly<Record<string, readonly [ChangeValue, ChangeValue]>>
}

/**
 * The one table of changes.db. `id` ascends by table, then added, removed, changed, then key: a stable order to page
 * by. `key` and `fields` are JSON texts.
 */
export const changesSchema = `
CREATE TABLE change(
  id INTEGER PRIMARY KEY,
  "table" TEXT NOT NULL,
  op TEXT NOT NULL CHECK (op IN ('added', 'removed', 'changed')),
  key TEXT NOT NULL,
  fields TEXT
);`

/** Built after the rows are in: finds what happened to one record. */
export const changesIndex = 'CREATE INDEX change_key ON change("table", key);'

/** A row of `change` as a {@link Change}. */
export const parseChange = (row: { table: string; op: string; key: string; fields: string | null }): Change => ({
  table: row.table,
  // The file is ours and the CHECK above admits only these three.
  op: row.op as ChangeOp,
  // Written by JSON.stringify from ChangeValues.
  key: JSON.parse(row.key) as ChangeValue[],
  ...(row.fields === null ? {} : { fields: JSON.parse(row.fields) as NonNullable<Change['fields']> }),
})
