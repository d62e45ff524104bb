import { describe, expect, it } from 'vitest'
import type { FormatDefinition } from '../../src/formats/definition.ts'
import { brokeQuotes, CannotBeCut, canBeCut, formatOfParts, type Part, partsOf } from '../../src/formats/parts.ts'
import { recordsIn } from '../../src/formats/read.ts'
import type { ReadRecord } from '../../src/formats/types.ts'
import { seeded, textFrom } from './random.ts'
import { all, chunks } from './streams.ts'

const csv: FormatDefinition = { type: 'csv' }

/** The file in chunks of a few bytes, cut into parts of about `size` bytes. */
const cut = (bytes: string | Buffer, format: FormatDefinition, size: number): Promise<Part[]> => {
  const whole = Buffer.from(bytes)
  const step = whole.length > 100_000 ? 65_536 : 7
  const pieces = Array.from({ length: Math.ceil(whole.length / step) }, (_, index) =>
    whole.subarray(index * step, (index + 1) * step),
  )
  return all(partsOf(chunks(...pieces), format, { source: 'a', size }))
}

/** What readers get who take parts in turn. */
const readShared = async (parts: readonly Part[], format: FormatDefinition, readers: number): Promise<ReadRecord[]> => {
  const [head, ...others] = parts
  const read = Array.from({ length: readers }, async (_, reader) => {
    const mine = others.filter((_each, index) => index % readers === reader)
    const own = [...(head === undefined ? [] : [head]), ...mine]
    const lines = new Map<Buffer, number>(own.map((part) => [part.bytes, part.line]))
    async function* bytes() {
      for (const part of own) yield part.bytes
    }
    const options = { source: 'a', lineOf: (chunk: Buffer) => lines.get(chunk) }
    return (await all(recordsIn(bytes(), formatOfParts(format), options))).flat()
  })
  return (await Promise.all(read)).flat().sort((left, right) => left.line - right.line)
}

const readAlone = async (bytes: string | Buffer, format: FormatDefinition): Promise<ReadRecord[]> =>
  (await all(recordsIn(chunks(Buffer.from(bytes)), format, { source: 'a' }))).flat()

describe('a file cut into parts', () => {
  const pieces = ['a', 'ö', ' ', ',', '\n', '\r\n', '""', ';', '𝄞']
  const field = (text: string): string => (/[,\r\n"]/.test(text) ? `"${text.replaceAll(/"+/g, '""')}"` : text)

  it.each([1, 2, 3, 4])('gives readers who share it what one reader gets: random CSV (%i)', async (seed) => {
    const random = seeded(seed)
    const record = (): string =>
      [random(1000), 0, 0].map((n) => field(n === 0 ? textFrom(pieces, 5, random) : `${n}`)).join(',')
    const text = `id,"a\n""x""",b\n${Array.from({ length: 400 }, record).join('\n')}\n`
    const parts = await cut(text, csv, 300)
    expect(parts.length).toBeGreaterThan(5)
    expect(Buffer.concat(parts.map((part) => part.bytes)).toString()).toBe(text)
    expect(await readShared(parts, csv, 2)).toEqual(await readAlone(text, csv))
  })

  it.each<[string, string | Buffer, FormatDefinition]>([
    ['JSON Lines', Array.from({ length: 50 }, (_, index) => `{"id":${index}}`).join('\n'), { type: 'jsonl' }],
    ['lines before the header', `a "title\n\n${'id,x\n'}${'1,2\n'.repeat(60)}`, { type: 'csv', preambleLines: 2 }],
    ['no header', '1,2\r\n'.repeat(60), { type: 'csv', columns: ['a', 'b'] }],
    ['no quotes', `a,b\n${'"1,2\n'.repeat(61)}`, { type: 'csv', quotes: 'none' }],
    ['carriage returns alone', `a,b\r${'1,2\r'.repeat(60)}`, csv],
    ['UTF-16', Buffer.from(`\ufeffa,b\n${'1,ä\n'.repeat(60)}`, 'utf16le'), csv],
    ['windows-1252', Buffer.from(`a,b\n${'1,ä\n'.repeat(60)}`, 'latin1'), { type: 'csv', encoding: 'windows-1252' }],
    ['a byte order mark', `\ufeffa,b\n${'1,2\n'.repeat(60)}`, csv],
    ['a header alone', 'a,b', csv],
    ['nothing after the header', 'a,b\n', csv],
    ['short records', `a,b\n${'1,2\n'.repeat(30)}3\n${'1,2\n'.repeat(30)}`, csv],
  ])('is read as it would be whole: %s', async (_, bytes, format) => {
    expect(canBeCut(format)).toBe(true)
    expect(await readShared(await cut(bytes, format, 60), format, 2)).toEqual(await readAlone(bytes, format))
  })

  it('shows a reader that a stray quote made parts end where records do not', async () => {
    const text = `a,b\n${'1,2\n'.repeat(20)}5" pipe,2\n${'1,2\n'.repeat(70)}`
    const records = await readShared(await cut(text, csv, 60), csv, 2)
    expect(records.some((record) => brokeQuotes(record, csv))).toBe(true)
  })

  it('shows it also where stray quotes are allowed', async () => {
    const lenient = { type: 'csv', quotes: 'lenient' } as const
    const text = `a,b\n${'1,2\n'.repeat(20)}5" pipe,2\n${'1,2\n'.repeat(70)}`
    expect((await readAlone(text, lenient)).some((record) => brokeQuotes(record, lenient))).toBe(false)
    expect(
      (await readShared(await cut(text, lenient, 60), lenient, 2)).some((record) => brokeQuotes(record, lenient)),
    ).toBe(true)
  })

  it('shows it where the quote is past what is kept of the text', async () => {
    const lenient = { type: 'csv', quotes: 'lenient' } as const
    const text = `a,b\n${'1,2\n'.repeat(20)}${'x'.repeat(1100)}5" pipe,2\n`
    const records = await readShared(await cut(text, lenient, 60), lenient, 2)
    expect(records.some((record) => brokeQuotes(record, lenient))).toBe(true)
  })

  it('is given up where the header does not end, or a record, so that nothing piles up', async () => {
    const line = `${'x'.repeat(1024)},1\n`
    await expect(cut(`"a,b\n${line.repeat(1500)}`, csv, 60)).rejects.toThrow(CannotBeCut)
    await expect(cut(`a,b\n1,2\n"${line.repeat(17_000)}`, csv, 60)).rejects.toThrow('no record ends after line 3')
  })

  it('asks nothing of a line of JSON that is broken', async () => {
    const jsonl = { type: 'jsonl' } as const
    const records = await readShared(await cut('{"a":1}\n{"a"\n', jsonl, 4), jsonl, 2)
    expect(records).toHaveLength(2)
    expect(records.some((record) => brokeQuotes(record, jsonl))).toBe(false)
  })

  it('is not done to formats that are no lines', () => {
    expect(canBeCut({ type: 'json' })).toBe(false)
  })
})
