import { describe, expect, it } from 'vitest'
import { readLines } from '../../src/formats/lines.ts'
import { all, chunks } from './streams.ts'

const linesOf = async (...parts: readonly (string | Uint8Array)[]): Promise<[number, string][]> => {
  const batches = await all(readLines(chunks(...parts), { source: 'a.jsonl' }))
  return batches.flatMap(({ first, texts }) => texts.map((text, index): [number, string] => [first + index, text]))
}

describe('reading lines', () => {
  it('numbers them from 1, blank ones included', async () => {
    expect(await linesOf('a\n\nb\n')).toEqual([
      [1, 'a'],
      [2, ''],
      [3, 'b'],
    ])
  })

  it('gives the same lines however the bytes are cut into chunks', async () => {
    const text = 'ä1\r\nzwei\n\n„vier“\nfünf'
    const expected = await linesOf(text)
    expect(expected.map(([, line]) => line)).toEqual(['ä1', 'zwei', '', '„vier“', 'fünf'])
    const bytes = Buffer.from(text)
    for (let size = 1; size <= bytes.length; size++) {
      const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      )
      expect(await linesOf(...parts), `chunks of ${size}`).toEqual(expected)
    }
  })

  it.each([
    ['LF', 'a\nb\n'],
    ['CRLF', 'a\r\nb\r\n'],
    ['CRCRLF', 'a\r\r\nb\r\r\n'],
    ['no end after the last line', 'a\nb'],
  ])('takes %s', async (_kind, text) => {
    expect(await linesOf(text)).toEqual([
      [1, 'a'],
      [2, 'b'],
    ])
  })

  it('drops a byte order mark, also one that comes in pieces', async () => {
    expect(await linesOf('\ufeffa\n\ufeffb\n')).toEqual([
      [1, 'a'],
      [2, '\ufeffb'],
    ])
    expect(await linesOf(Buffer.from([0xef]), Buffer.from([0xbb]), Buffer.from([0xbf, 0x61]))).toEqual([[1, 'a']])
  })

  it('gives nothing for nothing', async () => {
    expect(await linesOf()).toEqual([])
  })

  it('says which lines are not UTF-8', async () => {
    const bytes = Buffer.concat([Buffer.from('ä\nb'), Buffer.from([0xe4]), Buffer.from('\nß\n'), Buffer.from([0xff])])
    const batches = await all(readLines(chunks(bytes), { source: 'a.jsonl' }))
    expect(batches.flatMap(({ notUtf8 }) => [...notUtf8])).toEqual([2, 4])
    expect(batches.flatMap(({ texts }) => texts)).toEqual(['ä', 'b\ufffd', 'ß', '\ufffd'])
  })

  it('refuses UTF-16', async () => {
    await expect(linesOf(Buffer.from('\ufeffa\n', 'utf16le'))).rejects.toMatchObject({ code: 'NOT_WHAT_IT_SAYS' })
  })

  it.each([
    ['in one chunk', ['abc\n123456\n']],
    ['over many chunks', ['abc\n12', '34', '56\n']],
    ['without an end', ['abc\n', '123', '456']],
  ])('names a line that is too long, %s', async (_where, parts) => {
    const read = all(readLines(chunks(...parts), { source: 'a.jsonl', maxLineBytes: 5 }))
    await expect(read).rejects.toMatchObject({
      code: 'RECORD_INVALID',
      message: 'a.jsonl: line 2 is longer than 5 bytes',
    })
  })
})
