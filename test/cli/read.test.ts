import { describe, expect, it } from 'vitest'
import { documentOf, textOf } from '../../src/cli/read.ts'

const body = { uri: 'a://dataset', text: '{"uri":"a://dataset","rows":1}', mimeType: 'application/json' }
const sheet = { uri: 'a://dataset', text: '# A\n\n', mimeType: 'text/markdown' }
const picture = { uri: 'a://p/1', blob: 'AAEC', mimeType: 'image/png' }

describe('what was read', () => {
  it('is one document: the body itself, with further contents where there are any', () => {
    expect(documentOf([body])).toEqual({ uri: 'a://dataset', rows: 1 })
    expect(documentOf([body, sheet])).toEqual({ uri: 'a://dataset', rows: 1, contents: [sheet] })
    expect(documentOf([picture])).toEqual([picture])
  })

  it('is for people the sheet alone, or JSON in lines, and never base64', () => {
    expect(textOf([body, sheet])).toBe('# A')
    expect(textOf([body])).toBe('{\n  "uri": "a://dataset",\n  "rows": 1\n}')
    expect(textOf([picture])).toBe('a://p/1: image/png, 3 bytes (--json prints them in base64)')
  })
})
