/**
 * Writes the two versions of the sample: `node data/offeneregister/generate.ts`.
 *
 *     2026-10-01/de_companies_ocdata.jsonl.bz2    as written in written.ts, and 48 companies invented by the number
 *     2026-11-01/de_companies_ocdata.jsonl.bz2    the same, but: 3 companies added, 1 removed, 7 changed (2 in a field of
 *                                                 their own, 1 in its name and previous names, 2 in officers only, 1 in
 *                                                 previous names only, 1 in registrations only), 1 line moved to the end
 *
 * Deterministic: the same text on every run. Needs the system's bzip2. README.md beside this file lists every change.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CompanyRecord } from './record.ts'
import { firstVersion, secondVersion } from './versions.ts'

const here = dirname(fileURLToPath(import.meta.url))

/** A version's file before compression: one record a line, as compact JSON. */
export const jsonLines = (records: readonly CompanyRecord[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('')

const write = (date: string, records: readonly CompanyRecord[]): void => {
  const folder = join(here, date)
  mkdirSync(folder, { recursive: true })
  const compressed = execFileSync('bzip2', ['-9', '-c'], { input: jsonLines(records) })
  writeFileSync(join(folder, 'de_companies_ocdata.jsonl.bz2'), compressed)
  process.stderr.write(`${date}: ${records.length} companies\n`)
}

if (import.meta.main) {
  write('2026-10-01', firstVersion())
  write('2026-11-01', secondVersion())
}
