import { describe, expect, it } from 'vitest'
import { type KeyValue, spellKey } from '../../src/catalogue/key-spelling.ts'
import {
  changesUri,
  historyUri,
  pageUri,
  parseUri,
  queryUri,
  recordTemplate,
  recordUri,
} from '../../src/catalogue/uri.ts'

/** A reproducible stream of numbers: a failing key can be found again. */
const numbers = (seed: number) => () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
  return seed / 2 ** 32
}

const alphabet = [
  'a',
  'Z',
  '0',
  '-',
  '_',
  '.',
  '/',
  '~',
  '%',
  '2',
  'F',
  ' ',
  '?',
  '#',
  '+',
  "'",
  'ü',
  'ß',
  'Ł',
  '企',
  '😀',
  '\0',
  '\n',
  ':',
  '@',
  '&',
  '=',
]

const randomKey = (random: () => number): string =>
  Array.from({ length: Math.floor(random() * 9) }, () => alphabet[Math.floor(random() * alphabet.length)]).join('')

/** What VS Code's URI class does to a URI it is given. */
const asVsCode = (uri: string): string => {
  const [, scheme, authority, path] = /^([^:]+):\/\/([^/]*)(.*)$/.exec(uri) ?? []
  return `${scheme}://${authority?.toLowerCase()}${decodeURIComponent(path ?? '')}`
}

const keyOf = (uri: string): unknown => {
  const address = parseUri(uri)
  return address !== undefined && 'key' in address ? address.key : address
}

const trickyKeys: readonly string[] = [
  '',
  '.',
  '..',
  '...',
  'a..b',
  '~',
  '~0',
  '~00',
  '%2F',
  'a/b',
  '/',
  'K1101R_HRB150148',
  'Hamburg HRB 150148',
  '?page=2',
  '#x',
  '\u{feff}x',
  'A%',
]

describe('a key in a URI', () => {
  it('is written in letters, digits, hyphen, underscore, inner dots and upper-case tilde escapes only', () => {
    const random = numbers(1)
    for (const key of [...trickyKeys, ...Array.from({ length: 3000 }, () => randomKey(random))]) {
      expect(spellKey(key)).toMatch(/^(?!\.)(?:[A-Za-z0-9_.-]|~[0-9A-F]{2})+(?<!\.)$|^~$/)
    }
  })

  it.each([
    ['', '~'],
    [null, '~0'],
    ['~0', '~7E0'],
    ['.', '~2E'],
    ['..', '~2E~2E'],
    ['v1.2', 'v1.2'],
    ['.v1.', '~2Ev1~2E'],
    ['A/B', 'A~2FB'],
    ['Müller', 'M~C3~BCller'],
    [-5, '-5'],
    [9007199254740993n, '9007199254740993'],
    [Uint8Array.of(0xff, 0x41), '~FFA'],
  ] satisfies [KeyValue, string][])('%s is spelled %s', (key, spelling) => {
    expect(spellKey(key)).toBe(spelling)
  })

  it('comes back whole from every form of URI, also after VS Code had it', () => {
    const random = numbers(2)
    const keys = Array.from({ length: 3000 }, () => [randomKey(random), randomKey(random)])
    for (const key of [...trickyKeys.map((each) => [each]), [null], [null, ''], ...keys]) {
      for (const uri of [
        recordUri('offeneregister', 'company', key),
        recordUri('offeneregister', 'dataset', key),
        recordUri('offeneregister', 'company', key, '20261201T030512Z-3f9a1c2b'),
        historyUri('offeneregister', 'company', key),
      ]) {
        expect(keyOf(uri)).toEqual(key)
        expect(keyOf(asVsCode(uri))).toEqual(key)
      }
    }
  })

  it('that is bytes and no text comes back as bytes', () => {
    expect(keyOf(recordUri('d', 't', [Uint8Array.of(0xff, 0)]))).toEqual([Uint8Array.of(0xff, 0)])
  })

  it.each([
    ['d://t/a%2Fb', ['a/b']],
    ['d://t/M%C3%BCller', ['Müller']],
    ['d://t/Müller', ['Müller']],
    ['d://t/%7E2f', ['/']],
    ['d://t/~c3~bc', ['ü']],
    ['d://t/100%', ['100%']],
    ['d://t/a/', ['a']],
    ['d://t/a#photo', ['a']],
  ])('%s is understood', (uri, key) => {
    expect(keyOf(uri)).toEqual(key)
  })
})

describe('a URI', () => {
  it.each([
    ['offeneregister://dataset', { kind: 'dataset' }],
    ['OffeneRegister://Dataset/', { kind: 'dataset' }],
    ['offeneregister://schema', { kind: 'schema' }],
    ['offeneregister://snapshots', { kind: 'snapshots' }],
    ['offeneregister://changes/20261201t030512z-3F9A1C2B', { kind: 'changes', version: '20261201T030512Z-3f9a1c2b' }],
    ['offeneregister://COMPANY/1', { kind: 'record', table: 'COMPANY', key: ['1'] }],
    ['offeneregister://table/query/1', { kind: 'record', table: 'query', key: ['1'] }],
    [
      'offeneregister://snapshots/20261201t030512z-3f9a1c2b/officer/a/1',
      { kind: 'record', table: 'officer', key: ['a', '1'], version: '20261201T030512Z-3f9a1c2b' },
    ],
    ['offeneregister://history/table/1', { kind: 'history', table: 'table', key: ['1'] }],
    ['offeneregister://query/recent', { kind: 'query', query: 'recent', values: [] }],
    ['offeneregister://query/by/~0/x', { kind: 'query', query: 'by', values: [null, 'x'] }],
  ])('%s is read as %j', (uri, address) => {
    expect(parseUri(uri)).toEqual({ dataset: 'offeneregister', page: 1, ...address })
  })

  it.each(['?page=2', '?page%3D2', '/?page=2'])('names its page by %s', (ending) => {
    expect(parseUri(`d://t/a${ending}`)).toEqual({ dataset: 'd', kind: 'record', table: 't', key: ['a'], page: 2 })
  })

  it.each([
    'offeneregister',
    'https:/x',
    'offeneregister://',
    'offeneregister:///',
    'offeneregister://company',
    'offeneregister://company//1',
    'offeneregister://dataset/1',
    'offeneregister://changes',
    'offeneregister://changes/a/b/added/c',
    'offeneregister://snapshots/20261201T030512Z-3f9a1c2b',
    'offeneregister://snapshots/20261201T030512Z-3f9a1c2b/company',
    'offeneregister://history/company',
    'offeneregister://query',
    'offeneregister://company/a~',
    'offeneregister://company/~4',
    'offeneregister://company/~0x',
    'offeneregister://company/a?page=0',
    'offeneregister://company/a?page=2&x',
    'offeneregister://company/a?x=1',
    'off ene://company/a',
  ])('%s is none of ours', (uri) => {
    expect(parseUri(uri)).toBeUndefined()
  })

  it('of a table with a reserved name is written behind table/, whatever the case', () => {
    expect(recordUri('d', 'Changes', ['1'])).toBe('d://table/Changes/1')
    expect(recordUri('d', 'Changes', ['1'], '20261201T030512Z-3f9a1c2b')).toBe(
      'd://snapshots/20261201T030512Z-3f9a1c2b/Changes/1',
    )
  })

  it('is built for changes, queries and pages', () => {
    expect(changesUri('d', '20261201T030512Z-3f9a1c2b')).toBe('d://changes/20261201T030512Z-3f9a1c2b')
    expect(queryUri('d', 'by', ['A B', null])).toBe('d://query/by/A~20B/~0')
    expect(pageUri('d://t/a', 1)).toBe('d://t/a')
    expect(pageUri('d://t/a', 2)).toBe('d://t/a?page=2')
  })

  it('has a template per form, with a variable per key column', () => {
    expect(recordTemplate('d', 'record', 'officer', ['company_id', 'ordinal'])).toBe(
      'd://officer/{company_id}/{ordinal}',
    )
    expect(recordTemplate('d', 'record', 'table', ['id'])).toBe('d://table/table/{id}')
    expect(recordTemplate('d', 'snapshot', 'officer', ['id'])).toBe('d://snapshots/{version}/officer/{id}')
    expect(recordTemplate('d', 'history', 'officer', ['id'])).toBe('d://history/officer/{id}')
  })
})

describe('a URI made to cost time', () => {
  it.each([
    ['slashes', `offeneregister://company/${'/'.repeat(1_000_000)}x`],
    ['a long key', `offeneregister://company/${'~41'.repeat(1_000_000)}`],
  ])('of %s is read as nobody’s at once', (_what, uri) => {
    expect(parseUri(uri)).toBeUndefined()
  })

  it('still takes a key of 10 kB, spelt out', () => {
    expect(parseUri(`offeneregister://company/${'~C3~BC'.repeat(5000)}`)).toMatchObject({ key: ['ü'.repeat(5000)] })
  })
})
