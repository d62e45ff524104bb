import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packageRoot } from '../../src/package-root.ts'
import { elsewhere, importFaults, type TestReference } from '../hostile/import-faults.ts'
import { sharedFile } from '../real/shared-data.ts'

/** Titles of tests, and texts in rows of their tables, as they stand in a file of tests. */
const titlesIn = (text: string): ReadonlySet<string> => {
  const titles = new Set<string>()
  const literal = String.raw`'((?:[^'\\\n]|\\.)*)'`
  for (const pattern of [
    new RegExp(String.raw`\bit\(\s*${literal}\s*,`, 'g'),
    // Behind a table, and behind `skipIf(…)`.
    new RegExp(String.raw`\)\(\s*${literal}\s*,\s*(?:async\b|\(|\{)`, 'g'),
    new RegExp(String.raw`[[,]\s*${literal}(?=\s*,)`, 'g'),
  ]) {
    for (const [, title = ''] of text.matchAll(pattern)) titles.add(title.replace(/\\(.)/g, '$1'))
  }
  return titles
}

const isThere = ({ file, title }: TestReference): boolean => {
  const path = join(packageRoot, file)
  return existsSync(path) && titlesIn(readFileSync(path, 'utf8')).has(title)
}

describe('titles of tests', () => {
  it('are found behind it, behind a table, and in its rows, and nowhere else', () => {
    const text = [
      "it('plain', () => {})",
      "it.each([['a row', 1], [\n  'another row',\n  'and more',\n  2]])('of %s', async () => {})",
      "it.skipIf(true)('skipped', () => {})",
      "// it, 'remarked'",
      "expect('text').toBe('x')",
    ].join('\n')
    expect([...titlesIn(text)].sort()).toEqual(['a row', 'and more', 'another row', 'of %s', 'plain', 'skipped'])
  })
})

describe('faults of importing that are known from elsewhere', () => {
  it.each(importFaults.map((each) => [each.id, each] as const))('%s has tests that are there', (_, { tests }) => {
    expect(tests).not.toEqual([])
    expect(tests.filter((test) => !isThere(test))).toEqual([])
  })

  it('are listed once each', () => {
    const ids = [...importFaults.map(({ id }) => id), ...Object.keys(elsewhere)]
    expect(ids).toEqual([...new Set(ids)])
  })

  const list = sharedFile('..', 'reference', 'import-faults.md')
  it.skipIf(!existsSync(list))('are all of those that the project was given', () => {
    const given = [...readFileSync(list, 'utf8').matchAll(/^(B\d+) /gm)].map(([, id = '']) => id)
    const known = [...importFaults.map(({ id }) => id), ...Object.keys(elsewhere)]
    expect(given.length).toBeGreaterThan(30)
    expect(given.filter((id) => !known.includes(id))).toEqual([])
  })
})
