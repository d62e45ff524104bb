import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readRecords } from '../../src/formats/read.ts'
import { all } from './streams.ts'
import { temporaryFiles } from './temporary-folder.ts'

describe('reading a delivered file', () => {
  const file = temporaryFiles()

  it.each([
    ['jsonl', '{"id":"1"}\n{"id":"2"}\n', 1],
    ['csv', 'id\n1\n2\n', 2],
  ] as const)('gives the records of the declared format, whatever the compression: %s', async (type, text, first) => {
    const path = await file(`a.${type}.gz`, gzipSync(text))
    expect((await all(readRecords(path, { type }, { source: `a.${type}.gz` }))).flat()).toEqual([
      { line: first, record: { id: '1' } },
      { line: first + 1, record: { id: '2' } },
    ])
  })
})
