import { describe, expect, it } from 'vitest'
import type { FormatDefinition } from '../../src/formats/definition.ts'
import { recordsIn } from '../../src/formats/read.ts'
import { all } from './streams.ts'

async function* bytesOf(...parts: readonly (string | Buffer)[]): AsyncGenerator<Buffer, void, undefined> {
  for (const part of parts) yield Buffer.from(part)
}

const either: FormatDefinition = {
  type: 'either',
  formats: [{ type: 'csv' }, { type: 'json', records: '$.r[*]' }, { type: 'xml', records: 'r' }],
}

const read = async (format: FormatDefinition, ...parts: readonly (string | Buffer)[]): Promise<readonly unknown[]> => {
  const batches = await all(recordsIn(bytesOf(...parts), format, { source: 'source' }))
  return batches.flat().map((each) => ('record' in each ? each.record : each.problem))
}

describe('a source that is in one of several formats', () => {
  const long = 'x'.repeat(1000)

  it.each([
    ['csv', [`id\n${long}\n`]],
    ['csv with a byte order mark', [`\ufeffid\n${long}\n`]],
    ['csv in small parts', ['i', 'd', '\n', long, '\n']],
    ['json', [`{"r":[{"id":"${long}"}]}`]],
    ['json in small parts, after blanks', ['\n ', '{', `"r":[{"id":"${long}"}]}`]],
  ])('is read as what its first character says: %s', async (_, parts) => {
    expect(await read(either, ...parts)).toEqual([{ id: long }])
  })

  it('is read as xml where it begins like that', async () => {
    expect(await read(either, '<?xml version="1.0"?>', '<l><r id="1"/></l>')).toEqual([
      { name: 'r', attributes: { id: '1' }, text: '', children: [] },
    ])
  })

  it('is read as JSON Lines where those are among them', async () => {
    const format: FormatDefinition = { type: 'either', formats: [{ type: 'jsonl' }, { type: 'csv' }] }
    expect(await read(format, '{"id":"1"}\n{"id":"2"}\n')).toEqual([{ id: '1' }, { id: '2' }])
  })

  it('is refused in another one', async () => {
    const format: FormatDefinition = { type: 'either', formats: [{ type: 'jsonl' }, { type: 'csv' }] }
    await expect(read(format, '<a/>')).rejects.toThrow('source: looks like xml, not like jsonl or csv')
  })

  it('lets go of the file when the reader stops early', async () => {
    let isClosed = false
    async function* endless(): AsyncGenerator<Buffer, void, undefined> {
      try {
        yield Buffer.from('id\n')
        for (;;) yield Buffer.from('1\n'.repeat(1000))
      } finally {
        isClosed = true
      }
    }
    for await (const batch of recordsIn(endless(), either, { source: 'source' })) if (batch.length > 0) break
    expect(isClosed).toBe(true)
  })
})
