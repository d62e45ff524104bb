import { describe, expect, it } from 'vitest'
import { declaredEncoding, xmlText } from '../../src/formats/xml-text.ts'
import { all, chunks } from './streams.ts'

const textOf = async (bytes: Buffer, encoding?: string): Promise<string> => {
  const parts = Array.from({ length: bytes.length }, (_, index) => bytes.subarray(index, index + 1))
  return (await all(xmlText(chunks(...parts), encoding, 'a.xml'))).join('')
}

describe('the text of an XML file', () => {
  it.each([
    ['windows-1252', '<?xml version="1.0" encoding="windows-1252"?><a>Gr\xfcn \x80</a>', 'Grün €'],
    ['ISO-8859-1', "<?xml version='1.0' encoding = 'ISO-8859-1' ?><a>Gr\xfcn</a>", 'Grün'],
    ['nothing', '<a>Gr\xc3\xbcn</a>', 'Grün'],
    ['UTF-16 in letters of one byte', '<?xml version="1.0" encoding="utf-16"?><a>Gr\xc3\xbcn</a>', 'Grün'],
  ])('is read in the encoding that it declares: %s', async (_encoding, latin1, expected) => {
    expect(await textOf(Buffer.from(latin1, 'latin1'))).toContain(`<a>${expected}</a>`)
  })

  it('is read in the encoding that the pipeline declares, whatever the file says', async () => {
    const bytes = Buffer.from('<?xml version="1.0" encoding="UTF-8"?><a>Gr\xfcn</a>', 'latin1')
    expect(await textOf(bytes, 'windows-1252')).toContain('Grün')
  })

  it.each([
    ['UTF-8', Buffer.from('\ufeff<a>ü</a>')],
    ['UTF-16', Buffer.from('\ufeff<a>ü</a>', 'utf16le')],
  ])('begins behind a byte order mark of %s', async (_encoding, bytes) => {
    expect(await textOf(bytes)).toBe('<a>ü</a>')
  })

  it('that is not in its encoding is refused, by line', async () => {
    const valid = '\n'.repeat(2000)
    const bytes = Buffer.from(`${valid}<a>\nGr\xc3\xbcn\nGr\xfcn</a>\n`, 'latin1')
    for (const cut of [1, 1000, 2006, 2007, bytes.length - 1]) {
      const halves = chunks(bytes.subarray(0, cut), bytes.subarray(cut))
      await expect(all(xmlText(halves, undefined, 'a.xml')), `cut at ${cut}`).rejects.toMatchObject({
        code: 'RECORD_INVALID',
        message: 'a.xml: line 2003: not valid UTF-8',
      })
    }
  })

  it('in an encoding that nobody knows is refused', async () => {
    await expect(textOf(Buffer.from('<?xml version="1.0" encoding="klingon"?><a/>'))).rejects.toMatchObject({
      code: 'NOT_WHAT_IT_SAYS',
      message: 'a.xml: is in klingon, which is not an encoding that is read',
    })
  })

  it('declares no encoding anywhere but at its beginning', () => {
    expect(declaredEncoding(Buffer.from('<a x="<?xml encoding=\'latin1\'?>"/>'))).toBeUndefined()
  })
})
