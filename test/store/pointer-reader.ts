/** Reads through a pointer over and over. Prints what it finds whenever that is another thing than before. */
import { readFileSync, readlinkSync } from 'node:fs'

const [pointer = '', alias = ''] = process.argv.slice(2)
let before = ''

const look = (): string => {
  try {
    // The alias first: it names the pointer, so through it nothing older than the pointer's own content can come later.
    const throughAlias = readFileSync(alias, 'utf8')
    return `${readlinkSync(pointer)} ${readFileSync(pointer, 'utf8') === '' || throughAlias === '' ? 'empty' : 'whole'}`
  } catch (error) {
    return String(error)
  }
}

for (;;) {
  const now = look()
  if (now === before) continue
  before = now
  process.stdout.write(`${now}\n`)
}
