import { describe, expect, it } from 'vitest'
import { readCsv } from '../../src/formats/csv.ts'
import type { CsvDialect } from '../../src/formats/csv-dialect.ts'
import type { ReadRecord } from '../../src/formats/types.ts'
import { all, chunks } from './streams.ts'

interface Reading {
  readonly reads: readonly ReadRecord[]
  readonly warnings: readonly string[]
}

const read = async (content: string | Uint8Array, dialect: Partial<CsvDialect> = {}): Promise<Reading> => {
  const warnings: string[] = []
  const onWarning = (warning: string): void => void warnings.push(warning)
  const batches = readCsv(chunks(content), { type: 'csv', ...dialect }, { source: 'a.csv', onWarning })
  return { reads: (await all(batches)).flat(), warnings }
}

const recordsOf = async (content: string | Uint8Array, dialect: Partial<CsvDialect> = {}): Promise<unknown[]> =>
  (await read(content, dialect)).reads.map((each) => ('record' in each ? each.record : each))

describe('reading CSV', () => {
  it('gives each record with the line it starts on, and nothing for what is empty', async () => {
    expect((await read('id,name\n1,Grün\n\n2,"a\nb"\n3,\n')).reads).toEqual([
      { line: 2, record: { id: '1', name: 'Grün' } },
      { line: 4, record: { id: '2', name: 'a\nb' } },
      { line: 6, record: { id: '3', name: null } },
    ])
  })

  it.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CRCRLF', '\r\r\n'],
    ['CR', '\r'],
  ])('takes lines that end in %s', async (_kind, end) => {
    const text = ['id,name', '1,"a, b"', '2,c', ''].join(end)
    expect(await recordsOf(text)).toEqual([
      { id: '1', name: 'a, b' },
      { id: '2', name: 'c' },
    ])
  })

  it('keeps the line breaks inside a value as they are', async () => {
    expect(await recordsOf('id,name\r\n1,"a\r\nb\nc"\r\n')).toEqual([{ id: '1', name: 'a\r\nb\nc' }])
  })

  it('names the first column right behind a byte order mark', async () => {
    expect(await recordsOf('\ufeff"id",name\n1,a\n')).toEqual([{ id: '1', name: 'a' }])
  })

  it('passes over the end-of-file character of DOS', async () => {
    expect(await recordsOf('id\r\n1\r\n\x1a')).toEqual([{ id: '1' }])
  })

  it('gives no record for a header alone, and refuses a file without one', async () => {
    expect(await recordsOf('id,name\n')).toEqual([])
    await expect(read('\n\n')).rejects.toMatchObject({
      code: 'NOT_WHAT_IT_SAYS',
      message: 'a.csv: there is no header line',
    })
  })

  it.each([
    ['<?xml version="1.0"?>\n<a/>\n', 'XML or HTML received where CSV is declared'],
    ['<wells><well id="1"/></wells>\n', 'XML or HTML'],
    ['[{"id": 1}]\n', 'JSON received where CSV is declared'],
    ['{"id": 1}\n', 'JSON'],
  ])('refuses another format by what it is: %j', async (text, words) => {
    await expect(read(text)).rejects.toMatchObject({
      code: 'NOT_WHAT_IT_SAYS',
      message: expect.stringContaining(words),
    })
  })

  it.each(['<5 years,all\n1,2\n', '[id],name\n1,a\n', '{id},name\n1,a\n'])(
    'takes a header such as %j',
    async (text) => {
      expect(await recordsOf(text)).toHaveLength(1)
    },
  )

  it('takes the declared dialect', async () => {
    const text = "Report Date: 03-Jun-2026\nid;name\n1; it's \n2;-0- \n"
    const dialect = { delimiter: ';', preambleLines: 1, nulls: ['-0-'], trim: true }
    expect((await read(text, dialect)).reads).toEqual([
      { line: 3, record: { id: '1', name: "it's" } },
      { line: 4, record: { id: '2', name: null } },
    ])
  })

  it('hands over the lines before the header, with the columns, before any record', async () => {
    const heard: unknown[] = []
    const dialect = { type: 'csv', preambleLines: 2 } as const
    const text = 'Report Date: 08-Oct-2026\r\n"not, CSV\r\nid,name\r\n1,a\r\n'
    const onPreamble = (preamble: unknown): void => void heard.push(preamble)
    for await (const batch of readCsv(chunks(text), dialect, { source: 'a.csv', onPreamble })) heard.push(...batch)
    expect(heard).toEqual([
      { type: 'csv', lines: ['Report Date: 08-Oct-2026', '"not, CSV'], columns: ['id', 'name'] },
      { line: 4, record: { id: '1', name: 'a' } },
    ])
  })

  it('leaves columns out that the dialect does not know, where it says so', async () => {
    const { reads, warnings } = await read('id,colour,name\n1,red,a\n', {
      requires: ['id'],
      knows: ['name'],
      unknownColumns: 'report',
    })
    expect(reads).toEqual([{ line: 2, record: { id: '1', name: 'a' } }])
    expect(warnings).toEqual(['columns that are not known and not read: colour'])
  })

  it('takes declared columns where there is no header, and a header that somebody added', async () => {
    const columns = ['ent_num', 'SDN_Name']
    const expected = [{ ent_num: '36', SDN_Name: 'AEROCARIBBEAN' }]
    expect(await recordsOf('36,"AEROCARIBBEAN"\n', { columns })).toEqual(expected)
    expect(await recordsOf('Ent_num,SDN_name\n36,"AEROCARIBBEAN"\n', { columns })).toEqual(expected)
    expect(await recordsOf('', { columns })).toEqual([])
  })

  it('refuses a header that lacks a required column', async () => {
    await expect(read('id,Name\n1,a\n', { requires: ['id', 'name'] })).rejects.toMatchObject({
      code: 'RECORD_INVALID',
      message: 'a.csv: the header lacks name (it has: id, Name)',
    })
  })

  it('gives columns of the same name distinct ones, and says so', async () => {
    const { reads, warnings } = await read('id,name,name,,NAME\n1,a,b,c,d\n')
    expect(reads).toEqual([{ line: 2, record: { id: '1', name: 'a', name_2: 'b', column_4: 'c', NAME_3: 'd' } }])
    expect(warnings).toEqual([expect.stringContaining('column 3 "name" as name_2')])
  })

  it('keeps columns whose names other programs trip over', async () => {
    const [record] = await recordsOf('__proto__,constructor\n1,2\n')
    expect(Object.entries(record ?? {})).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
    ])
  })

  it('gives batches of at most 500', async () => {
    const batches = await all(readCsv(chunks(`id\n${'1\n'.repeat(1001)}`), { type: 'csv' }, { source: 'a.csv' }))
    expect(batches.map((batch) => batch.length)).toEqual([500, 500, 1])
  })

  it('stops when cancelled', async () => {
    const options = { source: 'a.csv', signal: AbortSignal.abort() }
    await expect(all(readCsv(chunks('id\n1\n'), { type: 'csv' }, options))).rejects.toMatchObject({ code: 'CANCELLED' })
  })
})

describe('records of another length than the header', () => {
  const text = 'id,a,b\n1,x\n2,x,y,z\n3,x,y,,\n4,x,y\n'
  const whole = [
    { line: 4, record: { id: '3', a: 'x', b: 'y' } },
    { line: 5, record: { id: '4', a: 'x', b: 'y' } },
  ]
  const tooLong = { line: 3, problem: '4 fields, but there are 3 columns', raw: '2,x,y,z' }

  it('are problems, unless what is too much is empty', async () => {
    const tooShort = { line: 2, problem: '2 fields, but there are 3 columns', raw: '1,x' }
    expect((await read(text)).reads).toEqual([tooShort, tooLong, ...whole])
  })

  it('are padded where they are short and the dialect says so, and this is told', async () => {
    const { reads, warnings } = await read(text, { shortRecords: 'pad' })
    expect(reads).toEqual([{ line: 2, record: { id: '1', a: 'x', b: null } }, tooLong, ...whole])
    expect(warnings).toEqual(['1 records (line 2) had fewer fields than there are columns'])
  })

  it('may be of several lines where short ones are padded, as long as none of these is a record by itself', async () => {
    const pad = { shortRecords: 'pad' } as const
    expect(await recordsOf('id,a,b,c\n1,x\n2,"y\nz"\n3,x,y,z\n', pad)).toEqual([
      { id: '1', a: 'x', b: null, c: null },
      { id: '2', a: 'y\nz', b: null, c: null },
      { id: '3', a: 'x', b: 'y', c: 'z' },
    ])
    for (const strays of [
      'id,a,b,c\n1,"x,y,z\n2,x,y",z\n',
      'id,a,b,c\n0,x,y\n1,"x,y\n2,x,y"\n',
      'id,a,b,c\n0,x,y\n1,"x,y\n2,x\n3,x,y"\n',
    ]) {
      const { reads } = await read(strays, pad)
      expect(reads.find((each) => 'problem' in each)).toMatchObject({
        problem: expect.stringMatching(/^a quote opened here makes a record of . fields down to line/),
      })
    }
  })
})

describe('a stray quote', () => {
  const rows = (numbers: readonly number[]): string => numbers.map((id) => `${id},name ${id},${id * 2}\n`).join('')
  const ids = (reads: readonly ReadRecord[]): unknown[] =>
    reads.map((each) => ('problem' in each ? `problem in line ${each.line}` : Object.values(each.record ?? {})[0]))

  it('that is never closed is a problem of its line, and swallows nothing', async () => {
    const { reads } = await read(`id,name,n\n1,a,2\n2,"b,4\n${rows([3, 4, 5])}`)
    expect(ids(reads)).toEqual(['1', 'problem in line 3', '3', '4', '5'])
    expect(reads[1]).toMatchObject({
      problem: 'a quote opened here is not closed before the end of the file',
      raw: '2,"b,4',
    })
  })

  it('that another one closes much later swallows nothing either', async () => {
    const many = Array.from({ length: 70 }, (_, index) => index + 3)
    const { reads } = await read(`id,name,n\n1,a,2\n2,"b,4\n${rows(many)}99,c",198\n100,d,200\n`)
    const stray = many.length + 4
    expect(ids(reads)).toEqual(['1', 'problem in line 3', ...many.map(String), `problem in line ${stray}`, '100'])
  })

  it('before a good quoted value is a problem of its own line alone', async () => {
    const { reads } = await read('id,name,n\n1,"b,2\n2,"c, d",4\n3,e,6\n')
    expect(ids(reads)).toEqual(['problem in line 2', '2', '3'])
  })

  it('that another one closes just right swallows nothing, where its lines look like records', async () => {
    const swallowed = rows([3, 4, 5])
    const { reads } = await read(`id,name,n\n2,"b,4\n${swallowed}6,c",12\n7,d,14\n`)
    expect(ids(reads)).toEqual(['problem in line 2', '3', '4', '5', 'problem in line 6', '7'])
    expect(reads[0]).toMatchObject({ problem: 'a quote opened here swallows records down to line 6' })
  })

  it('on every line costs no line but its own, however many there are', async () => {
    const stray = Array.from({ length: 2000 }, (_, index) => `${index},"b,${index}\n${index},c,d\n`)
    const { reads } = await read(`id,name,n\n${stray.join('')}`)
    expect(reads.map((each) => 'record' in each)).toEqual(stray.flatMap(() => [false, true]))
    expect(reads.map((each) => each.line)).toEqual(reads.map((_, index) => index + 2))
  })

  it('that makes a record of another length is taken back', async () => {
    const { reads } = await read('id,name,n\n1,"b,2\n2,c",4,5\n3,e,6\n')
    expect(ids(reads)).toEqual(['problem in line 2', 'problem in line 3', '3'])
  })

  it('is a character where the dialect is lenient', async () => {
    expect(await recordsOf('id,name\n1,"the "Moon" street"\n2,5" pipe\n', { quotes: 'lenient' })).toEqual([
      { id: '1', name: 'the "Moon" street' },
      { id: '2', name: '5" pipe' },
    ])
  })

  it('does not forbid values of many lines where the dialect allows them', async () => {
    const value = 'line\n'.repeat(80)
    expect(await recordsOf(`id,text\n1,"${value}"\n`, { maxRecordLines: 100 })).toEqual([{ id: '1', text: value }])
  })
})

describe('the encoding of CSV', () => {
  it.each([['utf-16le'], ['utf-16be']] as const)('is recognised as %s by the byte order mark', async (encoding) => {
    const bytes = Buffer.from('\ufeffid,name\n1,Grün\n', 'utf16le')
    expect(await recordsOf(encoding === 'utf-16le' ? bytes : bytes.swap16())).toEqual([{ id: '1', name: 'Grün' }])
  })

  it('may be declared', async () => {
    const bytes = Buffer.from('id,name\r\n1,O\x92Neill \x84Gr\xfcn\x93 5 \x80\r\n', 'latin1')
    expect(await recordsOf(bytes, { encoding: 'windows-1252' })).toEqual([{ id: '1', name: 'O’Neill „Grün“ 5 €' }])
  })

  it('that is not the declared one is a problem of its line', async () => {
    const bytes = Buffer.from('id,name\n1,a\n2,Gr\xfcn\n', 'latin1')
    expect((await read(bytes)).reads).toEqual([
      { line: 2, record: { id: '1', name: 'a' } },
      { line: 3, problem: 'not valid UTF-8', raw: '2,Gr\ufffdn' },
    ])
  })

  it('is refused where UTF-16 is damaged', async () => {
    const bytes = Buffer.from('\ufeffid\n1\n', 'utf16le')
    await expect(read(bytes.subarray(0, -1))).rejects.toMatchObject({
      code: 'RECORD_INVALID',
      message: 'a.csv: is not valid utf-16le',
    })
  })

  it.each([
    ['UTF-16', Buffer.from('\ufeffid,name\r\n1,"Grün, ja"\r\n', 'utf16le')],
    ['UTF-8 with CRCRLF', Buffer.from('id,name\r\r\n1,"Grün, ja"\r\r\n')],
    ['UTF-8 with CR', Buffer.from('id,name\r1,"Grün, ja"\r')],
  ])('gives the same records however its bytes are cut into chunks: %s', async (_kind, bytes) => {
    for (let size = 1; size <= bytes.length; size++) {
      const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      )
      const reads = (await all(readCsv(chunks(...parts), { type: 'csv' }, { source: 'a.csv' }))).flat()
      expect(reads, `chunks of ${size}`).toEqual([{ line: 2, record: { id: '1', name: 'Grün, ja' } }])
    }
  })

  it('does not let NUL characters through, and says where they were', async () => {
    const { reads, warnings } = await read('id,name\n1,Sta\0tion\n')
    expect(reads).toEqual([{ line: 2, record: { id: '1', name: 'Station' } }])
    expect(warnings).toEqual(['NUL characters were removed from 1 records (line 2)'])
  })
})
