import { describe, expect, it } from 'vitest'
import type { Preamble, ReadRecord, XmlElement } from '../../src/formats/types.ts'
import { readXml } from '../../src/formats/xml.ts'
import type { XmlFormat } from '../../src/formats/xml-format.ts'
import { all, chunks } from './streams.ts'

interface Reading {
  readonly reads: readonly ReadRecord[]
  readonly preambles: readonly Preamble[]
  readonly warnings: readonly string[]
}

const read = async (parts: string | readonly Uint8Array[], format: Partial<XmlFormat> = {}): Promise<Reading> => {
  const preambles: Preamble[] = []
  const warnings: string[] = []
  const bytes = typeof parts === 'string' ? chunks(parts) : chunks(...parts)
  const batches = readXml(
    bytes,
    { type: 'xml', records: 'r', ...format },
    {
      source: 'a.xml',
      onPreamble: (preamble) => void preambles.push(preamble),
      onWarning: (warning) => void warnings.push(warning),
    },
  )
  return { reads: (await all(batches)).flat(), preambles, warnings }
}

const element = (name: string, more: Partial<XmlElement> = {}): XmlElement => ({
  name,
  attributes: {},
  text: '',
  children: [],
  ...more,
})

const recordsOf = async (text: string, format?: Partial<XmlFormat>): Promise<unknown[]> =>
  (await read(text, format)).reads.map((each) => ('record' in each ? each.record : each))

describe('reading XML', () => {
  it('gives the declared elements whole, with the lines they start on', async () => {
    const text =
      '<?xml version="1.0"?>\n<list>\n  <r id="1">\n    <name lang="de">Grün</name>\n  </r>\n  <r\n id="2"/>\n</list>\n'
    expect((await read(text)).reads).toEqual([
      {
        line: 3,
        record: element('r', {
          attributes: { id: '1' },
          children: [element('name', { attributes: { lang: 'de' }, text: 'Grün' })],
        }),
      },
      { line: 6, record: element('r', { attributes: { id: '2' } }) },
    ])
  })

  it('finds elements by name anywhere, or by path, and several kinds of them', async () => {
    const text = '<list><r>1</r><x><r>2</r><s>3</s></x><s>4</s></list>'
    const texts = async (records: XmlFormat['records']): Promise<unknown[]> =>
      (await recordsOf(text, { records })).map((record) => record instanceof Object && 'text' in record && record.text)
    expect(await texts('r')).toEqual(['1', '2'])
    expect(await texts('/list/r')).toEqual(['1'])
    expect(await texts(['/list/x/r', 's'])).toEqual(['2', '3', '4'])
    expect(await texts('list')).toEqual([''])
  })

  it('does not take an element within a record for another one', async () => {
    expect(await recordsOf('<l><r><r>1</r></r></l>')).toEqual([
      element('r', { children: [element('r', { text: '1' })] }),
    ])
  })

  it('knows elements by their names without prefixes, whatever these are bound to', async () => {
    const text = '<x:l xmlns:x="urn:x" xmlns="urn:y"><x:r x:a="1" xml:lang="de"><y:b/></x:r></x:l>'
    expect(await recordsOf(text)).toEqual([
      element('r', { attributes: { 'x:a': '1', 'xml:lang': 'de' }, children: [element('b')] }),
    ])
  })

  it('takes a record that is very deep for a bad one, and goes on behind it', async () => {
    const deep = `${'<a>'.repeat(6000)}x${'</a>'.repeat(6000)}`
    expect((await read(`<l><r>1</r>\n<r>${deep}</r>\n<r>3</r></l>`)).reads).toEqual([
      { line: 1, record: element('r', { text: '1' }) },
      { line: 2, problem: 'elements more than 1000 deep within each other', raw: '<r>' },
      { line: 3, record: element('r', { text: '3' }) },
    ])
  })

  it('puts text together, in character data as well, and drops the spaces around it', async () => {
    expect(await recordsOf('<l><r> a <b>x</b> <![CDATA[<c> & ]]>d\n</r></l>')).toEqual([
      element('r', { text: 'a  <c> & d', children: [element('b', { text: 'x' })] }),
    ])
  })

  it('takes a bare ampersand in character data and comments for what it is', async () => {
    expect(await recordsOf('<l><!-- a & b --><r><![CDATA[A & B]]></r></l>')).toEqual([element('r', { text: 'A & B' })])
  })

  it('resolves built-in and numeric references, however many there are', async () => {
    const text = `<l>${'<r a="&lt;&#38;">&amp;&#xfc;&#8364;&gt;&apos;&quot;</r>'.repeat(5000)}</l>`
    const records = await recordsOf(text)
    expect(records).toHaveLength(5000)
    expect(records.at(-1)).toEqual(element('r', { attributes: { a: '<&' }, text: `&ü€>'"` }))
  })

  it('keeps attributes and elements whose names other programs trip over', async () => {
    const [record] = await recordsOf('<l><r __proto__="1"><__proto__>2</__proto__></r></l>')
    expect(JSON.stringify(record)).toBe(
      '{"name":"r","attributes":{"__proto__":"1"},"text":"","children":[{"name":"__proto__","attributes":{},"text":"2","children":[]}]}',
    )
  })

  it('is the same however its bytes are cut into chunks', async () => {
    const text = '<?xml version="1.0" encoding="UTF-8"?>\r\n<l a="ü">\r\n<r b="𝄞">&amp;<c>ä</c>\r\n</r><!-- ö --></l>'
    const bytes = Buffer.from(text)
    const whole = await read([bytes])
    expect(whole.reads).toHaveLength(1)
    for (let size = 1; size < bytes.length; size++) {
      const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      )
      expect(await read(parts), `chunks of ${size}`).toEqual(whole)
    }
  })

  it('gives records before it has read the rest', async () => {
    let given = 0
    async function* parts(): AsyncGenerator<Buffer, void, undefined> {
      yield Buffer.from(`<l>${' '.repeat(2000)}`)
      for (; given < 100; given++) yield Buffer.from('<r>1</r>'.repeat(100))
      yield Buffer.from('</l>')
    }
    for await (const batch of readXml(parts(), { type: 'xml', records: 'r' }, { source: 'a.xml' })) {
      expect(batch.length).toBe(100)
      expect(given).toBeLessThan(3)
      return
    }
    expect.unreachable()
  })

  it('gives batches of at most 500', async () => {
    const bytes = chunks(`<l>${'<r/>'.repeat(1001)}</l>`)
    const batches = await all(readXml(bytes, { type: 'xml', records: 'r' }, { source: 'a.xml' }))
    expect(batches.map((batch) => batch.length)).toEqual([500, 500, 1])
  })

  it('stops when cancelled', async () => {
    const options = { source: 'a.xml', signal: AbortSignal.abort() }
    const batches = readXml(chunks('<l><r/></l>'), { type: 'xml', records: 'r' }, options)
    await expect(all(batches)).rejects.toMatchObject({ code: 'CANCELLED' })
  })
})

describe('what an XML file says beside its records', () => {
  it('is handed over before the first record: the root and all that comes before it', async () => {
    const text =
      '<l date="2026-10-08"><info><Publish_Date>10/08/2026</Publish_Date><Record_Count>2</Record_Count></info>' +
      '<all kind="full"><note>x</note><r/><r/></all></l>'
    expect((await read(text)).preambles).toEqual([
      {
        type: 'xml',
        root: element('l', {
          attributes: { date: '2026-10-08' },
          children: [
            element('info', {
              children: [element('Publish_Date', { text: '10/08/2026' }), element('Record_Count', { text: '2' })],
            }),
            element('all', { attributes: { kind: 'full' }, children: [element('note', { text: 'x' })] }),
          ],
        }),
      },
    ])
  })

  it('is handed over where there is no record at all', async () => {
    const { reads, preambles } = await read('<l date="1"><info/></l>', { root: 'l' })
    expect(reads).toEqual([])
    expect(preambles).toEqual([
      { type: 'xml', root: element('l', { attributes: { date: '1' }, children: [element('info')] }) },
    ])
  })

  it('is told in a warning where it comes later and is not read', async () => {
    const text = '<l><r/><x>1</x><all><r/><x><y>2</y></x><x a="1"/><empty/></all><none/><x>2</x></l>'
    expect((await read(text)).warnings).toEqual(['elements that are no records were not read: /l/x (2), /l/all/x (2)'])
    expect((await read('<l><x>1</x><all><r/></all>\n<r/></l>')).warnings).toEqual([])
  })
})

describe('XML that is refused', () => {
  it.each([
    [
      'declares entities',
      '<!DOCTYPE l [<!ENTITY a "b">]><l><r>&a;</r></l>',
      'NOT_WHAT_IT_SAYS',
      'line 1: has a DTD of its own',
    ],
    [
      'declares an external entity',
      '<!DOCTYPE l [\n<!ENTITY a SYSTEM "file:///etc/hostname">]>\n<l><r>&a;</r></l>',
      'NOT_WHAT_IT_SAYS',
      'line 2: has a DTD of its own',
    ],
    [
      'uses an entity of a DTD that is not fetched',
      '<!DOCTYPE l SYSTEM "x.dtd"><l><r>&a;</r></l>',
      'RECORD_INVALID',
      'undefined entity',
    ],
    ['uses an entity of another kind', '<l><r>&constructor;</r></l>', 'RECORD_INVALID', 'undefined entity'],
    [
      'is a page',
      '<html><body><r/></body></html>',
      'NOT_WHAT_IT_SAYS',
      'HTML received instead of data (its root is html)',
    ],
    ['has no record', '<login><user/></login>', 'NOT_WHAT_IT_SAYS', 'has no element r (its root is login)'],
    ['is text', 'id,name\n1,a\n', 'NOT_WHAT_IT_SAYS', 'is no XML (line '],
    ['is blank', '\n\n', 'NOT_WHAT_IT_SAYS', 'is no XML (line 3: '],
    ['has a bare ampersand', '<l>\n<r>A & B</r></l>', 'RECORD_INVALID', 'line 2: not well-formed XML: a bare &'],
    [
      'has a bare ampersand long before a semicolon',
      `<l>\n<r>\nA &\n B</r>${'\n<r>&amp;</r>'.repeat(10)}</l>`,
      'RECORD_INVALID',
      'line 3: not well-formed XML: a bare &',
    ],
    ['has one in an attribute', '<l>\n<r a="A&B"/></l>', 'RECORD_INVALID', 'line 2: not well-formed XML: a bare &'],
    ['closes what is not open', '<l>\n<r></s></l>', 'RECORD_INVALID', 'line 2: not well-formed XML: '],
    ['has two roots', '<l><r/></l>\n<l/>', 'RECORD_INVALID', 'line 2: not well-formed XML: '],
    ['has a NUL byte', '<l>\n<r>\0</r></l>', 'RECORD_INVALID', 'line 2: not well-formed XML: '],
    ['is cut', '<l><r/>\n<r>', 'DATA_CORRUPT', 'ends before its XML does, in line 2'],
    ['is cut in a tag', '<l><r/>\n<r a="', 'DATA_CORRUPT', 'ends before its XML does, in line 2'],
    ['is very deep', `<l>${'<a>'.repeat(1000)}`, 'RECORD_INVALID', 'line 1: more than 1000 elements deep'],
  ])('%s', async (_what, text, code, message) => {
    await expect(read(text)).rejects.toMatchObject({ code, message: expect.stringMatching(/^a\.xml: /) })
    await expect(read(text)).rejects.toThrow(message)
  })

  it('has another root than declared', async () => {
    await expect(read('<login><r/></login>', { root: 'l' })).rejects.toMatchObject({
      code: 'NOT_WHAT_IT_SAYS',
      message: 'a.xml: its root is login, but should be l',
    })
  })

  it('may name a DTD elsewhere, which is not fetched', async () => {
    const text = '<!DOCTYPE l PUBLIC "-//[x]//" "http://127.0.0.1:9/x.dtd"><l><r/></l>'
    expect(await recordsOf(text)).toEqual([element('r')])
  })

  it.each([
    ['a record', '<l><r/><r><a>1</a><a>2345678901</a><a>1</a></r></l>'],
    ['what comes before the first one', '<l><a>123456789012345678901234567890</a><r/></l>'],
    ['a tag without end', `<l><r/><${'a'.repeat(100)}`],
    ['a comment without end', `<l><r/><!--${'a'.repeat(100)}`],
  ])('has %s longer than allowed', async (_what, text) => {
    await expect(read(text, { maxRecordLength: 30 })).rejects.toMatchObject({
      code: 'RECORD_INVALID',
      message: expect.stringMatching(/^a\.xml: something that ends in line 1 or later is longer than 30 characters$/),
    })
  })

  it('is not refused for its length where every record is short', async () => {
    expect(await recordsOf(`<l>${'<r>1</r>\n'.repeat(100)}</l>`, { maxRecordLength: 30 })).toHaveLength(100)
  })
})
