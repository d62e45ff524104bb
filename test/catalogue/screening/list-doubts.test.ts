/** What an answer of screen_name says of lists that are not whole, old, given by hand, or of another kind. */
import { utimesSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { kit } from '../../../src/pipeline/define.ts'
import type { OpenSanctionsOptions } from '../../../src/pipeline/types.ts'
import type { Store } from '../../../src/store/layout.ts'
import { readState, writeState } from '../../../src/store/snapshots.ts'
import { delivery, ingest } from '../../ingest/ingesting.ts'
import { scratchStore } from '../../store/scratch-store.ts'
import { answerOf, openStore } from '../opened.ts'

const entity = (id: string, names: readonly string[]): string =>
  `${JSON.stringify({
    id,
    caption: names[0],
    schema: 'Person',
    properties: { name: names },
    referents: [],
    datasets: ['zz'],
    target: true,
  })}\n`

const definitionOf = (id: string, options: Partial<OpenSanctionsOptions> = {}) =>
  kit.openSanctions({ id, dataset: id, title: `List ${id}`, ...options })

/** A list of these names, given by hand as a file that was last written at an instant. */
const given = async (
  store: Store,
  id: string,
  {
    names = [['Jane Muster']],
    written,
    ...options
  }: Partial<OpenSanctionsOptions> & {
    readonly names?: readonly (readonly string[])[]
    readonly written?: string
  } = {},
): Promise<void> => {
  const path = delivery(names.map((each, place) => entity(`E${place}`, each)).join(''), `${id}.json`)
  if (written !== undefined) utimesSync(path, new Date(written), new Date(written))
  expect(await ingest(store, path, { definition: definitionOf(id, options) })).toMatchObject({ outcome: 'published' })
}

interface Answer {
  readonly hits: readonly Record<string, unknown>[]
  readonly lists: readonly Record<string, unknown>[]
  readonly leftOut: readonly { readonly dataset: string; readonly why: string }[]
  readonly problems: readonly { readonly dataset: string; readonly code: string; readonly message: string }[]
}

const screened = async (store: Store, name = 'Jane Muster', args = {}): Promise<Answer> =>
  (await answerOf(await openStore(store), 'screen_name', { name, ...args })) as unknown as Answer

const problemOf = ({ problems }: Answer, code: string): string | undefined =>
  problems.find((problem) => problem.code === code)?.message

describe('a list that a person gave', () => {
  it('says how many entries it has, whence they are, and that nobody asked the publisher', async () => {
    const store = scratchStore()
    await given(store, 'zz', { listKind: 'sanctions', names: [['Jane Muster'], ['Another Person']] })
    const answer = await screened(store)
    expect(answer.lists).toMatchObject([
      { dataset: 'zz', entries: 2, from: ['file:zz.json'], confirmedAt: null, byHand: expect.any(String) },
    ])
    expect(problemOf(answer, 'BY_HAND')).toContain('zz.json')
  })

  it('says so no more once a run has confirmed it with the publisher', async () => {
    const store = scratchStore()
    await given(store, 'zz', { listKind: 'sanctions', written: '2026-11-30T00:00:00Z' })
    writeState(store, { ...readState(store, 'zz'), confirmedAt: new Date().toISOString() })
    const answer = await screened(store)
    expect(problemOf(answer, 'BY_HAND')).toBeUndefined()
    expect(answer.lists).toMatchObject([{ confirmedAt: expect.any(String) }])
    expect(answer.lists[0]).not.toHaveProperty('byHand')
  })

  it('marks a date that is only a file’s time, in the list, the hit and the problems', async () => {
    const store = scratchStore()
    await given(store, 'zz', { listKind: 'sanctions', written: '2024-05-06T07:08:09Z' })
    const answer = await screened(store)
    const dated = { asOf: '2024-05-06T07:08:09.000Z', asOfIs: 'file-time' }
    expect(answer.lists).toMatchObject([dated])
    expect(answer.hits).toMatchObject([dated])
    expect(problemOf(answer, 'DATE_UNKNOWN')).toBeDefined()
  })

  it('is old where it is of long ago and nobody asked since, and not where it is of today', async () => {
    const store = scratchStore()
    await given(store, 'old', { listKind: 'sanctions', written: '2024-05-06T00:00:00Z' })
    await given(store, 'new', { listKind: 'sanctions' })
    const { problems } = await screened(store)
    expect(problems.filter(({ code }) => code === 'OLD')).toEqual([
      { dataset: 'old', code: 'OLD', message: expect.stringContaining('2024-05-06') },
    ])
  })

  it('is incomplete where it has fewer rows than a whole one, with both figures', async () => {
    const store = scratchStore()
    await given(store, 'zz', { listKind: 'sanctions', guards: { minRows: { ftm_entity: 4000 } } })
    const answer = await screened(store)
    expect(answer.lists).toMatchObject([{ entries: 1, expectedRows: { ftm_entity: 4000 } }])
    expect(problemOf(answer, 'INCOMPLETE')).toMatch(/ftm_entity has 1 rows, at least 4000/)
  })

  it('has no such problem where it is whole', async () => {
    const store = scratchStore()
    await given(store, 'zz', { listKind: 'sanctions', guards: { minRows: { ftm_entity: 1 } } })
    expect(problemOf(await screened(store), 'INCOMPLETE')).toBeUndefined()
  })

  it('names the guards against which it was taken', async () => {
    const store = scratchStore()
    await given(store, 'zz', { listKind: 'sanctions', guards: { minFilled: { ftm_entity: { first_seen: 1 } } } })
    expect(problemOf(await screened(store), 'GUARD_WARNING')).toContain('min-filled')
  })
})

describe('a list that a person moved the pointer to', () => {
  it.each([
    ['release', 'RELEASED'],
    ['rollback', 'ROLLED_BACK'],
  ] as const)('says so: %s', async (by, code) => {
    const store = scratchStore()
    await given(store, 'zz', { listKind: 'sanctions' })
    const state = readState(store, 'zz')
    expect(problemOf(await screened(store), code)).toBeUndefined()
    writeState(store, { ...state, history: state.history.map((move) => ({ ...move, by })) })
    expect(problemOf(await screened(store), code)).toContain('person')
  })
})

describe('a name in letters that a list has no names in', () => {
  it('is a problem that says so and what to do, with how many entries have such names', async () => {
    const store = scratchStore()
    const others = Array.from({ length: 8 }, (_, place) => [`Person Number${place}`])
    await given(store, 'zz', { listKind: 'sanctions', names: [['Ivan Muster', 'Иван Мустер'], ...others] })
    const answer = await screened(store, 'Саддам Хусейн')
    expect(problemOf(answer, 'SCRIPT_NOT_COVERED')).toMatch(/Only 1 of its 9 .*Cyrillic.*Transliterate/)
  })

  it.each([
    ['김정은', 'Hangul'],
    ['習近平', 'Chinese'],
    ['صدام حسين', 'Arabic'],
    ['Σωκράτης', 'Greek'],
  ])('is told by its letters: %s', async (name, script) => {
    const store = scratchStore()
    await given(store, 'zz', { listKind: 'sanctions' })
    expect(problemOf(await screened(store, name), 'SCRIPT_NOT_COVERED')).toMatch(
      new RegExp(`None of its 1 .*${script}`),
    )
  })

  it('is none where the list has its names in these letters, nor for Latin ones of any kind', async () => {
    const store = scratchStore()
    await given(store, 'zz', { listKind: 'sanctions', names: [['Иван Мустер']] })
    const answer = await screened(store, 'Иван Мустер')
    expect(problemOf(answer, 'SCRIPT_NOT_COVERED')).toBeUndefined()
    expect(answer.hits).toHaveLength(1)
    expect(problemOf(await screened(store, 'Łukasz Großmann'), 'SCRIPT_NOT_COVERED')).toBeUndefined()
  })

  it('is found all the same where an entry has it', async () => {
    const store = scratchStore()
    const others = Array.from({ length: 8 }, (_, place) => [`Person Number${place}`])
    await given(store, 'zz', { listKind: 'sanctions', names: [['Ivan Muster', 'Иван Мустер'], ...others] })
    expect((await screened(store, 'Иван Мустер')).hits).toMatchObject([{ matchedName: 'Иван Мустер' }])
  })
})

describe('a list that is no sanctions list', () => {
  it.each([
    ['peps', 'pep'],
    ['ransomwhere', 'crime'],
  ])('is left out by itself, with the reason: %s', async (id, kind) => {
    const store = scratchStore()
    await given(store, 'sanctions')
    await given(store, id)
    const answer = await screened(store)
    expect(answer.lists.map(({ dataset, listKind }) => [dataset, listKind])).toEqual([['sanctions', 'sanctions']])
    expect(answer.leftOut).toEqual([{ dataset: id, why: expect.stringContaining(`kind ${kind}`) }])
  })

  it('is searched where it is named, and says in list and hit what it is', async () => {
    const store = scratchStore()
    await given(store, 'sanctions')
    await given(store, 'peps')
    const answer = await screened(store, 'Jane Muster', { datasets: ['peps'] })
    expect(answer.hits).toMatchObject([{ dataset: 'peps', listKind: 'pep' }])
    expect(answer.lists).toMatchObject([{ dataset: 'peps', listKind: 'pep' }])
  })

  it('does not look like a clearance where there is no other list', async () => {
    const store = scratchStore()
    await given(store, 'peps')
    const answer = await (await openStore(store)).current.call('screen_name', { name: 'Jane Muster' })
    expect(answer).toMatchObject({ ok: false, code: 'ARGUMENTS_INVALID', message: expect.stringContaining('peps') })
  })

  it('is searched where it does not say what it is, and called undeclared', async () => {
    const store = scratchStore()
    await given(store, 'zz')
    const answer = await screened(store)
    expect(answer.hits).toMatchObject([{ listKind: 'undeclared' }])
  })

  it('may say itself what it is, against its name', async () => {
    const store = scratchStore()
    await given(store, 'peps', { listKind: 'mixed' })
    expect((await screened(store)).hits).toMatchObject([{ listKind: 'mixed' }])
  })
})
