import { describe, expect, it } from 'vitest'
import { hasRepeatedKey, isLookedAt } from '../../src/formats/json-keys.ts'

const repeats = (text: string): boolean => hasRepeatedKey(text, JSON.parse(text))

describe('a key that is there twice', () => {
  it.each([
    '{"a":1,"a":2}',
    '{"a":1,"b":{"c":1,"c":1}}',
    '[{"a":1},{"b":[{"x":1,"y":2,"x":3}]}]',
    '{"a" : 1, "a" : 2}',
    '{"a":1,"\\u0061":2}',
    '{"\\"":1,"b":"\\":","\\"":2}',
    '{"__proto__":1,"__proto__":2}',
    '{"":1,"":2}',
  ])('in an object is seen: %s', (text) => {
    expect(repeats(text)).toBe(true)
  })

  it.each([
    '{}',
    'null',
    '"a"',
    '{"a":1,"A":2}',
    '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}',
    '{"a":"\\"b\\":1,\\"b\\":2"}',
    '{"a":"{\\"a\\":1}"}',
    '{"a" : "b", "b" : "a"}',
    '{"__proto__":{"a":1},"a":2}',
  ])('in no object is not: %s', (text) => {
    expect(repeats(text)).toBe(false)
  })

  it('is looked for in a text of megabytes without end or overflow', () => {
    const text = `{"a":"${'x\\"'.repeat(500_000)}","b":"${'y'.repeat(3_000_000)}","b":"\\":"}`
    expect(repeats(text)).toBe(true)
  })

  it('is looked for in every record of a file, and in some of those far down', () => {
    expect([1, 100_000, 100_032].map(isLookedAt)).toEqual([true, true, true])
    expect(isLookedAt(100_001)).toBe(false)
  })
})
