import { describe, expect, it } from 'vitest'
import { tokensOf } from '../../src/query/tokens.ts'

const shown = (sql: string): string[] => tokensOf(sql).map(({ kind, text }) => `${kind} ${text}`)

describe('tokens of SQL', () => {
  it('leaves comments out, whatever stands in them', () => {
    expect(shown("a -- it's; DROP\n/* ' -- ; */ b --")).toEqual(['word a', 'word b'])
  })

  it('ends an unterminated block comment with the text', () => {
    expect(shown('a /* b')).toEqual(['word a'])
  })

  it('takes /*/ for an open comment, as SQLite does', () => {
    expect(shown('a /*/ b /*/ c')).toEqual(['word a', 'word c'])
  })

  it('reads the four quotings, with their quotes doubled inside', () => {
    expect(shown(`'it''s' "a""b" \`c\`\`d\` [e"f]`)).toEqual(["string it's", 'quoted a"b', 'quoted c`d', 'quoted e"f'])
  })

  it('does not take -- or /* inside quotes for comments', () => {
    expect(shown(`'--' "/*" x`)).toEqual(['string --', 'quoted /*', 'word x'])
  })

  it('reads numbers, hexadecimal ones and those with separators', () => {
    expect(shown('1 1.5 .5 1e9 1.e-3 0xFF 1_000')).toEqual(
      ['1', '1.5', '.5', '1e9', '1.e-3', '0xFF', '1_000'].map((text) => `number ${text}`),
    )
  })

  it('takes a number that runs into letters for no token, as SQLite does', () => {
    expect(shown('SELECT 1from')).toEqual(['word SELECT', 'illegal 1from'])
  })

  it('reads blobs and parameters', () => {
    expect(shown("x'0F' ? ?12 :name @name $name")).toEqual([
      "blob x'0F'",
      'variable ?',
      'variable ?12',
      'variable :name',
      'variable @name',
      'variable $name',
    ])
  })

  it('takes every character beyond ASCII for a letter, spaces of Unicode too', () => {
    expect(shown('straße a\u00A0b')).toEqual(['word straße', 'word a\u00A0b'])
  })

  it('skips a byte order mark', () => {
    expect(shown('\uFEFFSELECT')).toEqual(['word SELECT'])
  })

  it.each(["'a", '"a', '`a', '[a', "x'0'", '\\', '{', '!'])('finds nothing legal in %s', (sql) => {
    expect(tokensOf(sql)[0]?.kind).toBe('illegal')
  })

  it('knows where a token starts', () => {
    expect(tokensOf('a  "b"')[1]?.start).toBe(3)
  })
})
