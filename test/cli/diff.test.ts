import { describe, expect, it } from 'vitest'
import { delivery, place, storeOf } from '../ingest/ingesting.ts'
import { commandLine } from './stichtag.ts'

const numbered = Array.from({ length: 60 }, (_, index) => place(`n${index + 10}`, `Number ${index + 10}`))

describe('diff for people', () => {
  it('names records by their titles, those taken away too, and shows the first of very many', async () => {
    const { store } = await storeOf(
      () => delivery([place('a', 'Aachen'), place('b', 'Bonn')]),
      () => delivery([place('a', 'Aix'), ...numbered]),
    )
    const here = commandLine()
    try {
      const lines = (...flags: string[]): string[] =>
        here
          .run(['diff', 'places', ...flags], { STICHTAG_HOME: store.root })
          .stdout.trimEnd()
          .split('\n')
      const few = lines()
      expect(few).toHaveLength(50 + 1 + 2 + 1)
      expect(few).toEqual(
        expect.arrayContaining([
          '+ place "n10" Number 10',
          '- place "b" Bonn',
          '~ place "a" Aix',
          '    name: "Aachen" → "Aix"',
          '+ place: 10 more (--all shows them)',
        ]),
      )
      expect(lines('--all')).toHaveLength(60 + 1 + 2)
    } finally {
      here.remove()
    }
  })
})
