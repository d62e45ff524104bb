/**
 * Writes a plain CSV file of so many rows of eight columns, for measuring at real size:
 *
 *     node bench/generate-rows.ts 2000000 --out /tmp/rows.csv [--changed 0.01]
 *
 * Deterministic. With `--changed SHARE` about that share of the rows differs in one column.
 */
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'

/** Columns of the file, all of them text. */
export const rowColumns = ['id', 'name', 'street', 'town', 'postcode', 'founded', 'amount', 'note'] as const

const rowsPerChunk = 500

const syllables = [
  'ba',
  'den',
  'fel',
  'gor',
  'hain',
  'kel',
  'lau',
  'mers',
  'nor',
  'ost',
  'pen',
  'rau',
  'stein',
  'tal',
  'wal',
]

/** A number below 2^32 that looks random, the same for the same two (an integer hash by xor, shift and multiply). */
const mixed = (index: number, salt: number): number => {
  let value = Math.imul(index ^ Math.imul(salt, 0x9e3779b9), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}

const wordOf = (number: number): string => {
  const at = (place: number): string =>
    syllables[Math.floor(number / syllables.length ** place) % syllables.length] ?? ''
  const word = at(0) + at(1) + at(2)
  return word.charAt(0).toUpperCase() + word.slice(1)
}

const twoDigits = (number: number): string => String(number).padStart(2, '0')

/** One line. A quoted field now and then, as real files have them. */
export const lineOf = (index: number, changed: number): string => {
  const town = mixed(index, 3) % 2000
  const name = `${wordOf(mixed(index, 1))} ${wordOf(mixed(index, 2))}`
  const differs = changed > 0 && mixed(index, 9) < changed * 2 ** 32
  const fields = [
    `R${String(index).padStart(9, '0')}`,
    index % 10 === 0 ? `"${name}, Inh. ${wordOf(mixed(index, 4))}"` : name,
    `${wordOf(mixed(index, 5))}straße ${1 + (mixed(index, 6) % 200)}`,
    wordOf(town),
    String(10000 + town * 37),
    `${1950 + (mixed(index, 7) % 75)}-${twoDigits(1 + (mixed(index, 7) % 12))}-${twoDigits(1 + (mixed(index, 8) % 28))}`,
    `${mixed(index, 8) % 1_000_000}.${twoDigits(mixed(index, 9) % 100)}`,
    differs ? 'corrected since' : index % 3 === 0 ? '' : wordOf(mixed(index, 10)),
  ]
  return `${fields.join(',')}\n`
}

function* chunks(count: number, changed: number): Generator<string> {
  yield `${rowColumns.join(',')}\n`
  for (let start = 0; start < count; start += rowsPerChunk) {
    const size = Math.min(rowsPerChunk, count - start)
    yield Array.from({ length: size }, (_, offset) => lineOf(start + offset, changed)).join('')
  }
}

if (import.meta.main) {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { changed: { type: 'string', default: '0' }, out: { type: 'string' } },
  })
  const target = values.out === undefined ? process.stdout : createWriteStream(values.out)
  await pipeline(Readable.from(chunks(Number(positionals[0]), Number(values.changed))), target)
}
