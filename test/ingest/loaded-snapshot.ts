/** A data.db of tables and rows given inline, and what its manifest says of them. */
import { join } from 'node:path'
import { Building } from '../../src/ingest/building.ts'
import { type Side, sideOf } from '../../src/ingest/compare.ts'
import { draftManifest } from '../../src/ingest/seal.ts'
import type { PipelineDefinition, Row, TableDefinition } from '../../src/pipeline/types.ts'
import { places } from '../pipeline/places.ts'
import { scratchFolder, versionOf } from '../store/scratch-store.ts'

export type Rows = Readonly<Record<string, readonly Row[]>>

/** Tables of these columns and keys; everything else of a definition is that of the places. */
export const definitionOf = (
  tables: Readonly<Record<string, Pick<TableDefinition, 'columns' | 'key' | 'surrogate'>>>,
): PipelineDefinition => ({
  ...places,
  tables: Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, { description: name, ...table }])),
  views: {},
  fullText: [],
})

export const loadedSnapshot = (definition: PipelineDefinition, rows: Rows): Side => {
  const path = join(scratchFolder(), 'data.db')
  const building = new Building(path, definition)
  for (const [table, each] of Object.entries(rows)) {
    for (const row of each) building.insert(table, building.toValues(table, row))
  }
  building.finish(() => undefined)
  const draft = draftManifest({
    definition,
    fingerprint: 'f1',
    version: versionOf('20261201T030512Z-00000000'),
    contentDigest: building.contentDigest(),
    totals: building.totals(),
    sources: [],
    rejected: 0,
    publisherDate: null,
    sample: false,
    base: null,
    schedule: definition.schedule,
    warnings: [],
    now: new Date(0),
  })
  building.close({})
  return sideOf(draft, path)
}
