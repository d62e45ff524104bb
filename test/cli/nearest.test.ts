import { describe, expect, it } from 'vitest'
import { nearest, suggestion } from '../../src/cli/nearest.ts'

const known = ['companieshouse', 'eufsf', 'offeneregister', 'uksl', 'unsc']

describe('a misspelt name', () => {
  it.each([
    ['ofeneregister', 'offeneregister'],
    ['offeneregsiter', 'offeneregister'],
    ['OffeneRegister', 'offeneregister'],
    ['usnc', 'unsc'],
    ['companieshous', 'companieshouse'],
  ])('%s is near %s', (name, meant) => {
    expect(nearest(name, known)).toBe(meant)
    expect(suggestion(name, known)).toBe(` Did you mean ${meant}?`)
  })

  it.each(['handelsregister', 'xx', ''])('%j is near none', (name) => {
    expect(nearest(name, known)).toBeUndefined()
    expect(suggestion(name, known)).toBe('')
  })
})
