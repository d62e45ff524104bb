import { existsSync, readdirSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { FormatDefinition } from '../../src/formats/definition.ts'
import { type ReadFileOptions, readRecords } from '../../src/formats/read.ts'
import type { ReadRecord } from '../../src/formats/types.ts'
import { all } from './streams.ts'
import { temporaryFiles } from './temporary-folder.ts'
import { zipOf } from './zip-builder.ts'

const csv: FormatDefinition = { type: 'csv' }
const file = temporaryFiles()

const read = async (
  path: string,
  format: FormatDefinition,
  options: Partial<ReadFileOptions> = {},
): Promise<readonly ReadRecord[]> => (await all(readRecords(path, format, { source: 'source', ...options }))).flat()

describe('reading a delivered file', () => {
  it.each<[string, string, FormatDefinition, readonly [number, unknown][]]>([
    [
      'jsonl',
      '{"id":"1"}\n{"id":"2"}\n',
      { type: 'jsonl' },
      [
        [1, { id: '1' }],
        [2, { id: '2' }],
      ],
    ],
    [
      'json',
      '{"r":[{"id":"1"},\n{"id":"2"}]}',
      { type: 'json', records: '$.r[*]' },
      [
        [1, { id: '1' }],
        [2, { id: '2' }],
      ],
    ],
    [
      'csv',
      'id\n1\n2\n',
      csv,
      [
        [2, { id: '1' }],
        [3, { id: '2' }],
      ],
    ],
    [
      'xml',
      '<l>\n<r id="1"/></l>',
      { type: 'xml', records: 'r' },
      [[2, { name: 'r', attributes: { id: '1' }, text: '', children: [] }]],
    ],
  ])('gives the records of the declared format, whatever the compression: %s', async (name, text, format, expected) => {
    const records = expected.map(([line, record]) => ({ line, record }))
    expect(await read(await file(`a.${name}.gz`, gzipSync(text)), format)).toEqual(records)
    expect(await read(await file(`a.${name}`, text), format)).toEqual(records)
  })

  it('keeps the digits of long integers in every line', async () => {
    const path = await file('a.jsonl', '{"id":12345678901234567890}\n')
    expect(await read(path, { type: 'jsonl' })).toEqual([{ line: 1, record: { id: '12345678901234567890' } }])
  })

  it('does not open an archive that is not declared', async () => {
    const path = await file('a.zip', zipOf({ name: 'a.csv', content: 'id\n1\n' }))
    await expect(read(path, csv)).rejects.toThrow('source: is a zip archive, which is not read as records')
  })
})

describe('reading a file in an archive', () => {
  const one = [{ line: 2, record: { id: '1' } }]
  const content = 'id\n1\n'

  it('gives the records of the only member, of the one that is asked for, or of one in an archive within', async () => {
    const only = await file('only.zip', zipOf({ name: 'x/a.csv', content }, { name: '__MACOSX/x/._a.csv' }))
    expect(await read(only, csv, { archive: {} })).toEqual(one)
    const several = await file('several.zip', zipOf({ name: 'LICENCE.txt', content: 'x' }, { name: 'a.csv', content }))
    expect(await read(several, csv, { archive: { member: '*.csv' } })).toEqual(one)
    const workFile = `${only}.inner`
    const nested = await file('nested.zip', zipOf({ name: 'x/a.zip', content: zipOf({ name: 'a.csv', content }) }))
    expect(await read(nested, csv, { archive: { member: '*.csv' }, workFile })).toEqual(one)
    expect(existsSync(workFile)).toBe(false)
  })

  it('refuses several members that could be meant, and names them', async () => {
    const path = await file('two.zip', zipOf({ name: 'a.csv', content }, { name: 'b.csv', content }))
    await expect(read(path, csv, { archive: { member: '*.csv' } })).rejects.toMatchObject({
      code: 'NOT_WHAT_IT_SAYS',
      message: 'source: several members of the archive could be meant: a.csv, b.csv',
    })
  })

  it('reads a source that lies there unpacked', async () => {
    expect(await read(await file('a.csv', content), csv, { archive: {} })).toEqual(one)
    expect(await read(await file('a.csv.gz', gzipSync(content)), csv, { archive: {} })).toEqual(one)
  })

  it('refuses something else in place of an archive', async () => {
    const path = await file('page.zip', '<!DOCTYPE html><html></html>')
    await expect(read(path, csv, { archive: {} })).rejects.toThrow('source: HTML received instead of a zip archive')
    await expect(read(await file('b.zip', content), csv, { archive: {} })).rejects.toThrow('is not a zip archive')
  })

  it('names the member where its text is wrong', async () => {
    const path = await file('a.zip', zipOf({ name: 'x/a.csv', content: '\n\n' }))
    await expect(read(path, csv, { archive: {} })).rejects.toThrow('source#x/a.csv: there is no header line')
  })

  it('closes the archive where nobody reads to the end', async () => {
    const path = await file('long.zip', zipOf({ name: 'a.csv', content: `id\n${'1\n'.repeat(100_000)}` }))
    const openFiles = (): number => readdirSync('/dev/fd').length
    const before = openFiles()
    for await (const batch of readRecords(path, csv, { source: 'long.zip', archive: {} })) {
      expect(batch).toHaveLength(500)
      expect(openFiles()).toBeGreaterThan(before)
      break
    }
    expect(openFiles()).toBe(before)
  })
})
