import { describe, expect, it } from 'vitest'
import { companyAt, companyLines } from '../../bench/generate-companies.ts'

const text = (count: number, changed = 0, seed = 1): string => [...companyLines({ count, seed, changed })].join('')
const lines = (of: string): string[] => of.trimEnd().split('\n')

describe('the generator of companies', () => {
  it('writes as many lines as asked for, each a company with a number of its own', () => {
    const numbers = lines(text(2500)).map((line) => JSON.parse(line).company_number)
    expect(new Set(numbers).size).toBe(2500)
  })

  it('writes the same for the same seed, and something else for another', () => {
    expect(text(300)).toBe(text(300))
    expect(text(300, 0, 2)).not.toBe(text(300))
  })

  it('gives a company that does not depend on those before it', () => {
    expect(JSON.stringify(companyAt(1234, { seed: 1, changed: 0 }))).toBe(lines(text(1235)).at(-1))
  })

  it('writes nothing for none', () => {
    expect(text(0)).toBe('')
  })

  it('changes about the share asked for, keeps the numbers, and leaves every other line as it was', () => {
    const before = lines(text(5000))
    const after = lines(text(5000, 0.1))
    const changed = before.filter((line, index) => line !== after[index])
    expect(changed.length).toBeGreaterThan(400)
    expect(changed.length).toBeLessThan(600)
    const number = (line: string): unknown => JSON.parse(line).company_number
    expect(after.map(number)).toEqual(before.map(number))
  })

  it('changes every company when asked for all', () => {
    const before = lines(text(200))
    const after = lines(text(200, 1))
    expect(before.filter((line, index) => line === after[index])).toEqual([])
  })

  it('writes lines about as long as the real ones', () => {
    const average = Buffer.byteLength(text(2000)) / 2000
    expect(average).toBeGreaterThan(650)
    expect(average).toBeLessThan(1000)
  })
})
