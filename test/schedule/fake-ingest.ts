/**
 * Stands in for `stichtag ingest <dataset>`: writes down that it began, and ends when a file says so, or when it is
 * told to. Two lines of one dataset that begin without an end between them are runs that overlap. As a run does, it
 * notes when the next one is due: after so many milliseconds as the file `<dataset>.every` says.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
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
  const every = join(folder, `${dataset}.every`)
  if (existsSync(every)) {
    const due = new Date(Date.now() + Number(readFileSync(every, 'utf8')))
    writeFileSync(join(folder, `${dataset}.next`), due.toISOString())
  }
  note('ends')
}, 5)
