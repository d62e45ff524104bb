import { describe, expect, it } from 'vitest'
import { readModule } from '../../src/schema/module.ts'

const main = (text: string): unknown => readModule(text, 'a.mjs').values.get('main')
const refused = (line: number, found: RegExp) =>
  expect.objectContaining({
    code: 'SCHEMA_INVALID',
    message: expect.stringMatching(new RegExp(`^a\\.mjs:${line}: .*${found.source}`)),
  })

describe('a schema file read as data', () => {
  it('gives literals of every kind', () => {
    expect(
      main(
        `export const main = {
        text: 'a', "quoted": "b", \`t\`: 1, [\`computed\`]: \`template\`, 5: true,
        joined: 'a' + 'b' + \`c\`, negative: -1.5, positive: +2, nothing: null, list: [1, [2], {}], left: undefined,
      }`.replace('`t`: 1, ', ''),
      ),
    ).toEqual({
      text: 'a',
      quoted: 'b',
      computed: 'template',
      5: true,
      joined: 'abc',
      negative: -1.5,
      positive: 2,
      nothing: null,
      list: [1, [2], {}],
    })
  })

  it('gives constants defined above, alone, in shorthand and spread', () => {
    const text = `const sql = 'SELECT ' + '1'
      const shared = { mimeType: 'application/json' }, tags = ['a']
      export const main = { sql, output: { ...shared, extra: 1 }, tags: [...tags, 'b'] }`
    expect(main(text)).toEqual({
      sql: 'SELECT 1',
      output: { mimeType: 'application/json', extra: 1 },
      tags: ['a', 'b'],
    })
  })

  it.each([
    ['export { a as main }; const a = { b: 1 }', 1],
    ['const main = { b: 1 }\nexport { main }', 2],
  ])('gives what is exported by name: %s', (text, exportedOn) => {
    // A name is exported where it stands, so its constant must come first.
    if (exportedOn === 1) expect(readModule(text, 'a.mjs').values.get('main')).toBeUndefined()
    else expect(main(text)).toEqual({ b: 1 })
  })

  it('gives the default export', () => {
    expect(readModule('export default { a: 1 }', 'a.mjs').values.get('default')).toEqual({ a: 1 })
  })

  it('leaves functions alone and says which are exported', () => {
    const text = `'use strict'
      const helper = (row) => fetch(row.url)
      function other() { process.exit(1) }
      export const main = {}
      export const handlers = ({ libraries }) => ({ query: helper })
      export function extra() {}`
    expect(readModule(text, 'a.mjs').functions).toEqual(['handlers', 'extra'])
  })

  it.each([
    ['a call', 'export const main = { a: fetch("x") }', /a call .*fetch/],
    ['require', 'export const main = { a: require("fs") }', /a call .*require/],
    ['a dynamic import', 'export const main = { a: import("fs") }', /a call/],
    ['new', 'export const main = { a: new Date() }', /a call/],
    ['a function', 'export const main = { a: () => 1 }', /a function/],
    ['a method', 'export const main = { a() { return 1 } }', /a function/],
    ['a getter', 'export const main = { get a() { return 1 } }', /a function/],
    ['a function above', 'const f = () => 1; export const main = { f }', /a function/],
    ['a global', 'export const main = { a: process }', /a name that no constant/],
    ['a property of a global', 'export const main = { a: process.env.HOME }', /code \(MemberExpression\)/],
    ['a name defined below', 'export const main = { a }; const a = 1', /a name that no constant/],
    ['a spread of a global', 'export const main = { ...globalThis }', /a name that no constant/],
    ['a spread of text', 'const a = "x"; export const main = { ...a }', /a spread/],
    ['a computed template', `const a = "x"; export const main = { b: \`$${'{a}'}\` }`, /a template/],
    ['a tagged template', 'export const main = { b: String.raw`a` }', /code/],
    ['a regular expression', 'export const main = { a: /x/ }', /regular expression/],
    ['a big integer', 'export const main = { a: 1n }', /big integer/],
    ['a sum of numbers', 'export const main = { a: 1 + 1 }', /a sum/],
    ['a condition', 'export const main = { a: true ? 1 : 2 }', /code/],
    ['an import', 'import fs from "node:fs"; export const main = {}', /an import/],
    ['an export from elsewhere', 'export * from "./other.mjs"', /an import/],
    ['a named export from elsewhere', 'export { main } from "./other.mjs"', /an import/],
    ['code beside it', 'export const main = {}; process.exit(1)', /code .*process/],
    ['a loop beside it', 'export const main = {}; for (;;) {}', /code/],
    ['a constant that acts', 'const a = eval("1"); export const main = {}', /a call/],
    ['a class', 'class A { static { process.exit(1) } }', /code/],
    ['a pattern', 'const { a } = { a: 1 }', /a pattern/],
    ['await', 'export const main = await fetch("x")', /code/],
  ])('refuses %s', (_, text, found) => {
    expect(() => readModule(text, 'a.mjs')).toThrow(refused(1, found))
  })

  it('names the line', () => {
    expect(() => main('export const main = {\n  a: 1,\n  b: fetch()\n}')).toThrow(refused(3, /fetch/))
    expect(() => main('export const main = {\n  a: ,\n}')).toThrow(refused(2, /cannot be parsed/))
  })

  it.each(['{ __proto__: { polluted: true } }', '{ "__proto__": { polluted: true } }', '{ ["__proto__"]: {} }'])(
    'does not let a key reach a prototype: %s',
    (object) => {
      expect(() => main(`export const main = ${object}`)).toThrow(refused(1, /__proto__/))
      expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
    },
  )

  it('keeps keys like constructor as keys', () => {
    expect(main('export const main = { constructor: 1, toString: 2 }')).toEqual({ constructor: 1, toString: 2 })
  })

  it.each([
    ['text', `const a0 = '${'x'.repeat(100)}'`, (a: string) => `${a} + ${a}`],
    ['lists', 'const a0 = [1, 2, 3, 4]', (a: string) => `[...${a}, ...${a}]`],
    ['nested lists', 'const a0 = [1, 2, 3, 4]', (a: string) => `[${a}, ${a}]`],
  ])('refuses %s that double and double again', (_, first, doubled) => {
    const more = Array.from({ length: 40 }, (_, index) => `const a${index + 1} = ${doubled(`a${index}`)}`)
    expect(() => main([first, ...more].join('\n'))).toThrow(
      expect.objectContaining({ code: 'SCHEMA_INVALID', message: expect.stringContaining('more data') }),
    )
  })

  it('refuses what is nested without end', () => {
    expect(() => main(`export const main = ${'['.repeat(100_000)}${']'.repeat(100_000)}`)).toThrow(
      expect.objectContaining({
        code: 'SCHEMA_INVALID',
        message: expect.stringMatching(/cannot be parsed|too deeply/),
      }),
    )
  })

  it('refuses what is too long to be a schema', () => {
    expect(() => main(`export const main = { a: '${'x'.repeat(1_000_000)}' }`)).toThrow(
      expect.objectContaining({ code: 'SCHEMA_INVALID', message: expect.stringContaining('longer') }),
    )
  })
})
