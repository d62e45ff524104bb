import { describe, expect, it } from 'vitest'
import { readJsonl } from '../../src/formats/jsonl.ts'
import type { ReadRecord } from '../../src/formats/types.ts'
import { all, chunks } from './streams.ts'

const recordsOf = async (...parts: readonly (string | Uint8Array)[]): Promise<ReadRecord[]> =>
  (await all(readJsonl(chunks(...parts), { source: 'a.jsonl' }))).flat()

describe('reading JSON Lines', () => {
  it('gives each record with its line', async () => {
    expect(await recordsOf('{"a":1}\n{"a":"Grün"}\n')).toEqual([
      { line: 1, record: { a: 1 } },
      { line: 2, record: { a: 'Grün' } },
    ])
  })

  it('skips blank lines and counts them', async () => {
    expect(await recordsOf('\n{"a":1}\r\n  \t\r\n{"a":2}')).toEqual([
      { line: 2, record: { a: 1 } },
      { line: 4, record: { a: 2 } },
    ])
  })

  it('keeps keys that other programs trip over', async () => {
    const [read] = await recordsOf('{"":1,"VÖ":2,"__proto__":3}\n')
    expect(read && 'record' in read && Object.entries(read.record ?? {})).toEqual([
      ['', 1],
      ['VÖ', 2],
      ['__proto__', 3],
    ])
  })

  it('gives a bad line as a problem in its place, and reads on', async () => {
    const [first, second, third] = await recordsOf('{"id":1}\n{"id":2,"name":"cut\n{"id":3}\n')
    expect(first).toEqual({ line: 1, record: { id: 1 } })
    expect(second).toEqual({
      line: 2,
      problem: expect.stringMatching(/^not valid JSON: .*(?<!\))$/),
      raw: '{"id":2,"name":"cut',
    })
    expect(third).toEqual({ line: 3, record: { id: 3 } })
  })

  it('gives a first line that is merely bad as a problem', async () => {
    const reads = await recordsOf('"id":1}\n{"id":2}\n{"id":3}\n')
    expect(reads.map((read) => [read.line, 'record' in read])).toEqual([
      [1, false],
      [2, true],
      [3, true],
    ])
  })

  it('gives a line that is not UTF-8 as a problem', async () => {
    expect(await recordsOf('{"id":1}\n', Buffer.from('{"n":"Gr\xfcn"}\n', 'latin1'))).toEqual([
      { line: 1, record: { id: 1 } },
      { line: 2, problem: 'not valid UTF-8', raw: '{"n":"Gr\ufffdn"}' },
    ])
  })

  it('keeps a thousand characters of a bad line', async () => {
    const [, bad] = await recordsOf(`{}\n${'x'.repeat(5000)}\n`)
    expect(bad).toMatchObject({ line: 2, raw: 'x'.repeat(1000) })
  })

  it.each([
    ['an object over many lines', '{\n  "a": 1\n}\n'],
    ['an object that begins on its first line', '\n{"a": [\n1,\n2]}\n'],
    ['an array with a record per line', '[{"a":1},\n{"a":2}]\n'],
    ['an array around the records', '[\n{"a":1},\n{"a":2}\n]\n'],
    ['text of another kind', 'id,name\n1,Grün\n'],
  ])('refuses %s with one error', async (_kind, text) => {
    await expect(recordsOf(text)).rejects.toMatchObject({
      code: 'RECORD_INVALID',
      message: expect.stringMatching(/^a\.jsonl: line [12] is not a complete JSON value/),
    })
  })

  it('gives batches of at most 500 records, none of them empty', async () => {
    const batches = await all(readJsonl(chunks('{}\n'.repeat(1001), '\n\n', '{}\n'), { source: 'a.jsonl' }))
    expect(batches.map((batch) => batch.length)).toEqual([500, 500, 2])
  })

  it('stops when cancelled', async () => {
    const read = all(readJsonl(chunks('{}\n'), { source: 'a.jsonl', signal: AbortSignal.abort() }))
    await expect(read).rejects.toMatchObject({ code: 'CANCELLED' })
  })
})
