/** Our reading of CSV against csv-parse alone, which knows no lines, no batches and no recovery. */
import { isUtf8 } from 'node:buffer'
import { readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { readCsv } from '../../src/formats/csv.ts'
import type { CsvDialect } from '../../src/formats/csv-dialect.ts'
import { openArchive } from '../../src/formats/zip.ts'
import { hasSharedData, sharedFile } from '../real/shared-data.ts'
import { type Random, seeded, textFrom } from './random.ts'
import { all, chunks } from './streams.ts'

type Values = readonly (string | null)[] | 'refused'

const namesFor = (columns: number): string[] => Array.from({ length: columns }, (_, index) => `c${index}`)

const ours = async (bytes: Buffer, columns: number, dialect: Partial<CsvDialect> = {}): Promise<Values[]> => {
  const full = { type: 'csv', columns: namesFor(columns), shortRecords: 'pad', ...dialect } as const
  const half = bytes.length >> 1
  const batches = readCsv(chunks(bytes.subarray(0, half), bytes.subarray(half)), full, { source: 'a.csv' })
  return (await all(batches)).flat().map((each) => ('record' in each ? Object.values(each.record ?? {}) : 'refused'))
}

/** Records of csv-parse as our dialect has them: empty is nothing, short ones padded, long ones refused. */
const theirs = (records: readonly (readonly string[])[], columns: number): Values[] =>
  records
    .filter((fields) => !(fields.length === 1 && (fields[0] === '' || fields[0] === '\x1a')))
    .map((fields) =>
      fields.slice(columns).some((field) => field !== '')
        ? 'refused'
        : namesFor(columns).map((_, index) => fields[index] || null),
    )

const columns = 4
const pieces = ['a', 'ö', ' ', ',', '"', '\n', '\r\n', ';', '𝄞', '""', ',"', '\t']

const quoted = (field: string, random: Random): string =>
  /[",\r\n]/.test(field) || random(3) === 0 ? `"${field.replaceAll('"', '""')}"` : field

const randomFile = (random: Random, end: string): string => {
  const field = (index: number): string => (index === 0 ? `${random(1000)}` : textFrom(pieces, 6, random))
  const record = (): string =>
    namesFor(columns)
      .map((_, index) => quoted(field(index), random))
      .join(',')
  return Array.from({ length: 1200 }, record).join(end) + end
}

describe('records of random files', () => {
  it.each([
    ['\n', 1],
    ['\n', 2],
    ['\r\n', 3],
    ['\r\n', 4],
  ])('that end in %j are those that csv-parse gives (%i)', async (end, seed) => {
    const text = randomFile(seeded(seed), end)
    expect(await ours(Buffer.from(text), columns)).toEqual(theirs(parse(text, { record_delimiter: end }), columns))
  })
})

/** Files made to be wrong, which have a test of their own; prose; and one that is tab-separated and has no quotes. */
const notCsv = /^hostile|dataspec\.txt$|dpl\.txt$/

const csvFiles = (): string[] =>
  readdirSync(sharedFile(), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(csv|txt)(\.gz)?$/.test(name) && !notCsv.test(name))
    .sort()

const bytesOf = (name: string): Buffer => {
  const bytes = readFileSync(sharedFile(name))
  return asText(name.endsWith('.gz') ? gunzipSync(bytes) : bytes)
}

const asText = (plain: Buffer): Buffer => {
  const text = isUtf8(plain) ? plain.toString('utf8') : new TextDecoder('windows-1252').decode(plain)
  return Buffer.from(text.replace(/^\ufeff/, '').replaceAll('\0', ''))
}

const expectSame = async (bytes: Buffer, delimiter: string): Promise<void> => {
  const options = { delimiter, relax_column_count: true, skip_empty_lines: true, record_delimiter: ['\r\n', '\n'] }
  const records = parse(bytes, options)
  const width = Math.max(1, ...records.map((fields) => fields.length))
  expect(await ours(bytes, width, { delimiter, maxRecordLines: 1000 })).toEqual(theirs(records, width))
}

/** Bytes of a member from which on it is too much for a test. */
const large = 3_000_000

describe.skipIf(!hasSharedData)('records of real files', () => {
  it.each(hasSharedData ? csvFiles() : [])('are those that csv-parse gives: %s', (name) =>
    expectSame(bytesOf(name), name.startsWith('eu') ? ';' : ','),
  )

  it.each(hasSharedData ? readdirSync(sharedFile('gtfs')) : [])(
    'are those that csv-parse gives, in every member: %s',
    async (name) => {
      const archive = await openArchive(sharedFile('gtfs', name), { source: name, member: '*.txt' })
      try {
        for (const member of archive.members.filter(({ size }) => size > 0 && size < large)) {
          await expectSame(asText(Buffer.concat(await all(member.open()))), ',')
        }
      } finally {
        await archive.close()
      }
    },
  )
})
