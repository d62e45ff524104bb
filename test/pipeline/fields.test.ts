import { beforeEach, describe, expect, it } from 'vitest'
import { fieldsOf } from '../../src/pipeline/fields.ts'
import type { FieldReader, MapContext } from '../../src/pipeline/types.ts'

let unknown: string[]
beforeEach(() => {
  unknown = []
})

const context: MapContext = {
  source: 'file',
  line: 1,
  state: {},
  runState: {},
  emit: () => expect.unreachable('fields emit nothing'),
  publisherDate: () => expect.unreachable('fields know no dates'),
  remark: () => undefined,
  unknown: (field) => void unknown.push(field),
  reject: (reason) => {
    throw new Error(reason)
  },
}

const fields = (json: string): FieldReader => fieldsOf(JSON.parse(json), context)

describe('fields of a record', () => {
  it.each(['"text"', '1', 'null', '[]', 'true'])('reject a record that is no object: %s', (json) => {
    expect(() => fields(json)).toThrow('expected an object')
  })

  it('are texts, numbers and booleans as texts, and null where absent', () => {
    const read = fields('{"a":" ä ","b":1.5,"c":true,"d":null,"e":""}')
    expect(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => read.text(name))).toEqual([
      ' ä ',
      '1.5',
      'true',
      null,
      '',
      null,
    ])
  })

  it.each(['{"a":{}}', '{"a":[]}'])('reject a text that is none: %s', (json) => {
    expect(() => fields(json).text('a')).toThrow(/^a should be text, but is/)
  })

  it.each(['{"a":true}', '{"a":false}', '{"a":[]}'])('reject a mandatory text that is none: %s', (json) => {
    expect(() => fields(json).requiredText('a')).toThrow('a should be text, but is')
  })

  it.each(['{}', '{"a":null}', '{"a":""}'])('reject a mandatory text that is missing: %s', (json) => {
    expect(() => fields(json).requiredText('a')).toThrow('a is missing')
  })

  it('are flags, and nothing that only looks like one', () => {
    const read = fields('{"a":true,"b":false,"c":null}')
    expect(['a', 'b', 'c', 'd'].map((name) => read.flag(name))).toEqual([true, false, null, null])
    expect(() => fields('{"a":"true"}').flag('a')).toThrow('a should be true or false, but is string')
    expect(() => fields('{"a":1}').flag('a')).toThrow('a should be true or false, but is number')
  })

  it('are objects, whose fields are named by their path', () => {
    const read = fields('{"a":{"b":{"c":[]}},"n":null}')
    expect(read.object('n')).toBeNull()
    expect(read.object('z')).toBeNull()
    expect(() => read.object('a')?.object('b')?.text('c')).toThrow('a.b.c should be text, but is a list')
    expect(() => fields('{"a":[]}').object('a')).toThrow('a should be an object, but is a list')
  })

  it('are lists of objects', () => {
    expect(
      fields('{"a":[{"b":"1"},{"b":"2"}]}')
        .list('a')
        .map((item) => item.text('b')),
    ).toEqual(['1', '2'])
    expect(fields('{"a":null}').list('a')).toEqual([])
    expect(fields('{}').list('a')).toEqual([])
    expect(() => fields('{"a":{}}').list('a')).toThrow('a should be a list, but is object')
    expect(() => fields('{"a":[{},null]}').list('a')).toThrow('a should be objects, but is null')
    expect(() => fields('{"a":[{}]}').list('a')[0]?.requiredText('b')).toThrow('a[].b is missing')
  })

  it('are any value as JSON', () => {
    const read = fields('{"a":{"b":[1,null]},"c":null,"d":0}')
    expect(['a', 'c', 'd', 'e'].map((name) => read.json(name))).toEqual(['{"b":[1,null]}', null, '0', null])
  })

  it('that were not read are counted by their path, and given back', () => {
    const read = fields('{"a":"1","b":[2],"c":{"d":1,"e":2}}')
    read.text('a')
    const inner = read.object('c')
    inner?.text('d')
    expect(inner?.rest()).toEqual({ e: 2 })
    expect(read.rest()).toEqual({ b: [2] })
    expect(unknown).toEqual(['c.e', 'b'])
  })

  it('that were all read leave nothing', () => {
    const read = fields('{"a":"1"}')
    read.text('a')
    expect(read.rest()).toBeNull()
    expect(unknown).toEqual([])
  })

  it('asked for in vain do not hide others', () => {
    const read = fields('{"A":"1"}')
    read.text('a')
    expect(read.rest()).toEqual({ A: '1' })
  })

  it('named as what every object inherits are fields like others', () => {
    const read = fields('{"__proto__":{"text":"x"},"constructor":"c","left":1}')
    expect(fields('{}').text('constructor')).toBeNull()
    expect(fields('{}').object('__proto__')).toBeNull()
    expect(read.text('constructor')).toBe('c')
    const rest = read.rest()
    expect(JSON.stringify(rest)).toBe('{"__proto__":{"text":"x"},"left":1}')
    expect(unknown).toEqual(['__proto__', 'left'])
    expect(({} as Record<string, unknown>).text).toBeUndefined() // nothing was put on every object
  })
})
