/** Writes the bundled samples of gtfsde and its parts: `node data/gtfsde/generate.ts`. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { samples } from './samples.ts'

const folder = join(import.meta.dirname, '..')

for (const [path, bytes] of samples()) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), bytes)
}
