/**
 * The compare step alone, on two snapshots that are there: `compare-once.ts <older folder> <newer folder> <changes.db>`.
 * Prints the counts.
 */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { compareSnapshots, sideOf } from '../src/ingest/compare.ts'
import { manifestSchema } from '../src/store/manifest.ts'

const [older = '', newer = '', target = ''] = process.argv.slice(2)
const side = (folder: string) =>
  sideOf(manifestSchema.parse(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))), join(folder, 'data.db'))
rmSync(target, { force: true })
process.stdout.write(`${JSON.stringify(await compareSnapshots(side(older), side(newer), target))}\n`)
