/** Hand-made bad XML and JSON files, each with the outcome that its README asks for. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { hasSharedData, sharedFile } from '../real/shared-data.ts'
import { jsonl, readHostile, xml } from './hostile.ts'

describe.skipIf(!hasSharedData)('hostile XML', () => {
  it.each([
    ['html-error.xml', 'HTML received instead of data'],
    ['html-login-wellformed.xml', 'HTML received instead of data'],
    ['billion-laughs.xml', 'has a DTD of its own: entity declarations are not allowed'],
    ['external-entity.xml', 'has a DTD of its own: entity declarations are not allowed'],
  ])('%s is refused', async (name, message) => {
    await expect(readHostile(name, xml)).rejects.toMatchObject({
      code: 'NOT_WHAT_IT_SAYS',
      message: expect.stringContaining(message),
    })
  })

  it('billion-laughs.xml is refused at once', async () => {
    const start = performance.now()
    await expect(readHostile('billion-laughs.xml', xml)).rejects.toThrow()
    expect(performance.now() - start).toBeLessThan(1000)
  })

  it('external-entity.xml gives nothing of xxe-canary.txt away', async () => {
    const outcome = await readHostile('external-entity.xml', xml).catch((error: unknown) => error)
    expect(outcome).toBeInstanceOf(Error)
    const canary = readFileSync(sharedFile('hostile', 'xxe-canary.txt'), 'utf8').trim()
    expect(canary).not.toBe('')
    expect(JSON.stringify(outcome) + String(outcome)).not.toContain(canary)
  })

  it('many-builtin-entities.xml is read', async () => {
    const { records, problems } = await readHostile('many-builtin-entities.xml', xml)
    expect([records.length, problems.length]).toEqual([1500, 0])
    expect(records.at(-1)?.children).toContainEqual({
      name: 'name',
      attributes: {},
      text: 'A & B <1500> ö€',
      children: [],
    })
  })
})

describe.skipIf(!hasSharedData)('hostile JSON Lines', () => {
  it('broken-line.jsonl gives its good records and names line 51', async () => {
    const { records, problems } = await readHostile('broken-line.jsonl', jsonl)
    expect(records).toHaveLength(100)
    expect(problems.map(({ line }) => line)).toEqual([51])
  })

  it('pretty-printed.jsonl is refused with one error', async () => {
    await expect(readHostile('pretty-printed.jsonl', jsonl)).rejects.toMatchObject({
      code: 'RECORD_INVALID',
      message: expect.stringContaining('line 1 is not a complete JSON value'),
    })
  })
})

describe.skipIf(!hasSharedData)('the hostile files', () => {
  it('are all in one of these tests', () => {
    const tests = ['csv.test.ts', 'archives.test.ts', 'markup.test.ts']
    const text = tests.map((name) => readFileSync(new URL(name, import.meta.url), 'utf8')).join('')
    expect(
      readdirSync(sharedFile('hostile')).filter((name) => !text.includes(`'${name}'`) && !text.includes(`'${name} `)),
    ).toEqual([])
  })
})
