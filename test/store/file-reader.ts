/**
 * Reads a file of one letter, over and over, and prints what it holds (`letter length`) whenever that is another thing
 * than before. It must be quick: what it does not look at while a file is written it cannot see.
 */
import { readFileSync } from 'node:fs'

const [path = ''] = process.argv.slice(2)
let before = ''

const describeContent = (): string => {
  try {
    const bytes = readFileSync(path)
    const ends = new Set([bytes.at(0), bytes.at(-1)].map((byte) => String.fromCharCode(byte ?? 0)))
    return `${[...ends].join('')} ${bytes.length}`
  } catch (error) {
    return String(error)
  }
}

for (;;) {
  const now = describeContent()
  if (now === before) continue
  before = now
  process.stdout.write(`${now}\n`)
}
