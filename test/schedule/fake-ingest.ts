/**
 * Stands in for `stichtag ingest <dataset>`: writes down that it began, and ends when a file says so, or when it is
 * told to. Two lines of one dataset that begin without an end between them are runs that overlap.
 */
import { appendFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'

const [folder = '', dataset = ''] = process.argv.slice(2)
const note = (word: string): void => appendFileSync(join(folder, 'runs.txt'), `${dataset} ${word}\n`)

note('begins')
process.on('SIGTERM', () => {
  note('stopped')
  process.exit(0)
})
const waiting = setInterval(() => {
  if (existsSync(join(folder, 'hold'))) return
  clearInterval(waiting)
  note('ends')
}, 5)
