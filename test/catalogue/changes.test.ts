import { describe, expect, it } from 'vitest'
import { combine, stepsBetween, undone } from '../../src/catalogue/changes-between.ts'
import type { Change } from '../../src/store/changes.ts'
import { answerOf, bodyOf, open, registerWith } from './opened.ts'
import type { Register } from './register.ts'

const anna = { number: 'K1', name: 'Anna AG', officers: ['Anna'] }
const bob = { number: 'K2', name: 'Bob AG' }

const current = (register: Register) => {
  if (register.current === undefined) throw new Error('nothing is published')
  return register.current
}

describe('the changes of a version', () => {
  it('tell what was added, removed and changed, with URIs and what it belongs to', async () => {
    const register = registerWith([anna, bob])
    const base = register.current
    register.publish([
      { ...anna, name: 'Anna SE', officers: ['Anna', 'Berta'] },
      { number: 'K3', name: 'New' },
    ])
    const source = await open(register)
    const uri = `offeneregister://changes/${register.current}`
    expect(await bodyOf(source, uri)).toMatchObject({
      uri,
      version: register.current,
      base,
      counts: { company: { added: 1, removed: 1, changed: 1 }, officer: { added: 1, removed: 0, changed: 0 } },
      changes: [
        { table: 'company', op: 'added', key: ['K3'], uri: 'offeneregister://company/K3' },
        { table: 'company', op: 'removed', key: ['K2'], uri: 'offeneregister://company/K2' },
        { table: 'company', op: 'changed', key: ['K1'], fields: { name: ['Anna AG', 'Anna SE'] } },
        {
          table: 'officer',
          op: 'added',
          key: ['K1', 2],
          uri: 'offeneregister://officer/K1/2',
          belongsTo: ['offeneregister://company/K1'],
        },
      ],
    })
  })

  it('of a first version are none', async () => {
    const register = registerWith([anna])
    const source = await open(register)
    const body = await bodyOf(source, `offeneregister://changes/${register.current}`)
    expect(body).toMatchObject({ base: null, changes: [] })
    expect(body).not.toHaveProperty('next')
  })

  it('come in pages under 100 KB that together hold each once', async () => {
    const register = registerWith([])
    const many = Array.from({ length: 450 }, (_, n) => ({ number: `K${String(n).padStart(4, '0')}`, name: 'x' }))
    register.publish(many)
    register.publish(many.map((company) => ({ ...company, name: 'y'.repeat(3000) })))
    const source = await open(register)
    const keys: unknown[] = []
    let uri: string | undefined = `offeneregister://changes/${register.current}`
    while (uri !== undefined) {
      const body: Record<string, unknown> = await bodyOf(source, uri)
      expect(JSON.stringify(body).length).toBeLessThan(100_000)
      keys.push(...(body.changes as { key: string[] }[]).map(({ key }) => key[0]))
      uri = body.next as string | undefined
    }
    expect(keys).toEqual(many.map(({ number }) => number))
  })

  it('of one table, and of one kind, are there alone, in pages of their own', async () => {
    const register = registerWith([])
    const many = Array.from({ length: 250 }, (_, n) => ({
      number: `K${String(n).padStart(4, '0')}`,
      name: 'x',
      officers: ['Anna'],
    }))
    register.publish(many.slice(1))
    register.publish([...many.slice(0, 1), ...many.slice(2).map((each) => ({ ...each, name: 'y' }))])
    const source = await open(register)
    const whole = `offeneregister://changes/${register.current}`
    expect(await bodyOf(source, whole)).toMatchObject({
      parts: [
        ...['added', 'removed', 'changed'].map((op) => `${whole}/company/${op}`),
        ...['added', 'removed'].map((op) => `${whole}/officer/${op}`),
      ],
    })
    expect(await bodyOf(source, `${whole}/company/added`)).toMatchObject({
      table: 'company',
      op: 'added',
      counts: { company: { added: 1, removed: 1, changed: 248 } },
      changes: [{ table: 'company', op: 'added', key: ['K0000'] }],
    })
    const first = await bodyOf(source, `${whole}/COMPANY/Changed`)
    expect(first).toMatchObject({ uri: `${whole}/company/changed`, next: `${whole}/company/changed?page=2` })
    const pages = [
      first,
      await bodyOf(source, String(first.next)),
      await bodyOf(source, `${whole}/company/changed?page=3`),
    ]
    const keys = pages.flatMap(({ changes }) => (changes as { key: string[] }[]).map(({ key }) => key[0]))
    expect(keys).toEqual(many.slice(2).map(({ number }) => number))
    const officers = await bodyOf(source, `${whole}/officer`)
    expect((officers.changes as { table: string }[]).map(({ table }) => table)).toEqual(['officer', 'officer'])
    expect((await source.current.read(`${whole}/officer`)).ttlMs).toBe(365 * 24 * 60 * 60 * 1000)
    for (const wrong of ['nosuch', 'company/moved', 'company/added/K1']) {
      await expect(source.current.read(`${whole}/${wrong}`)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }
  })
})

describe('a history', () => {
  it('holds the record as of each version in which it differs, newest first, and its absence', async () => {
    const register = registerWith([bob])
    const versions: string[] = []
    for (const companies of [[anna], [anna, bob], [{ ...anna, officers: ['Berta'] }], [bob], [anna]]) {
      versions.push(register.publish(companies))
    }
    const source = await open(register)
    expect(await bodyOf(source, 'offeneregister://history/company/K1')).toMatchObject({
      uri: 'offeneregister://history/company/K1',
      history: [
        { version: versions[4], related: { officers: [{ name: 'Anna' }] } },
        { version: versions[3], absent: true },
        { version: versions[2], related: { officers: [{ name: 'Berta' }] } },
        {
          version: versions[0],
          uri: `offeneregister://snapshots/${versions[0]}/company/K1`,
          record: { name: 'Anna AG' },
          related: { officers: [{ name: 'Anna' }] },
        },
      ],
    })
  })

  it('of what never was is not found', async () => {
    const source = await open(registerWith([bob]))
    await expect(source.current.read('offeneregister://history/company/K1')).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    expect(await source.current.digests(['offeneregister://history/company/K1'])).toEqual([null])
  })

  it('does without a version whose manifest is damaged, and snapshots say which', async () => {
    const register = registerWith([anna])
    const broken = register.publish([bob])
    register.publish([anna])
    register.damage(broken)
    const source = await open(register)
    const { history } = await bodyOf(source, 'offeneregister://history/company/K1')
    expect(history).toHaveLength(1)
    expect(await bodyOf(source, 'offeneregister://snapshots')).toMatchObject({
      snapshots: [{}, { version: broken, problem: { code: 'SNAPSHOT_INVALID' } }, {}],
    })
  })
})

describe('the tool changes', () => {
  it('tells the last version without being asked for one', async () => {
    const register = registerWith([anna])
    const since = register.current
    register.publish([anna, bob])
    expect(await answerOf(await open(register), 'changes', { dataset: 'offeneregister' })).toMatchObject({
      version: register.current,
      since,
      counts: { company: { added: 1, removed: 0, changed: 0 } },
      changes: [{ op: 'added', uri: 'offeneregister://company/K2' }],
      truncated: false,
      licence: 'CC BY 4.0',
    })
  })

  it('combines several versions: what came and went, or changed back, is no change', async () => {
    const register = registerWith([anna, bob])
    const since = current(register)
    const visitor = { number: 'K9', name: 'Visitor' }
    register.publish([{ ...anna, name: 'Anna SE' }, visitor])
    register.publish([
      { ...anna, name: 'Anna KG' },
      { ...bob, name: 'Bob SE' },
      { number: 'K3', name: 'New' },
    ])
    register.publish([{ ...anna, officers: ['Berta'] }, bob, { number: 'K3', name: 'New' }])
    expect(await answerOf(await open(register), 'changes', { dataset: 'offeneregister', since })).toMatchObject({
      since,
      counts: { company: { added: 1, removed: 0, changed: 0 }, officer: { added: 0, removed: 0, changed: 1 } },
      changes: [
        { op: 'added', key: ['K3'] },
        {
          op: 'changed',
          table: 'officer',
          fields: { name: ['Anna', 'Berta'] },
          belongsTo: ['offeneregister://company/K1'],
        },
      ],
    })
  })

  it('tells a record that was away and came back different', async () => {
    const register = registerWith([anna, bob])
    const since = current(register)
    register.publish([anna])
    register.publish([anna, { ...bob, name: 'Bob SE' }])
    expect(await answerOf(await open(register), 'changes', { dataset: 'offeneregister', since })).toMatchObject({
      changes: [{ op: 'changed', key: ['K2'], uri: 'offeneregister://company/K2' }],
    })
  })

  it('undoes a version that was rolled back', async () => {
    const register = registerWith([anna])
    const first = current(register)
    const rejected = register.publish([{ ...anna, name: 'Wrong' }, bob])
    register.point(first, 'rollback')
    expect(
      await answerOf(await open(register), 'changes', { dataset: 'offeneregister', since: rejected }),
    ).toMatchObject({
      version: first,
      since: rejected,
      counts: { company: { added: 0, removed: 1, changed: 1 } },
      changes: [
        { op: 'removed', key: ['K2'] },
        { op: 'changed', key: ['K1'], fields: { name: ['Wrong', 'Anna AG'] } },
      ],
    })
  })

  it.each([1, 2])('comes in pages that say exactly whether more follow, over %i steps', async (steps) => {
    const register = registerWith([])
    const since = current(register)
    const companies = Array.from({ length: 5 }, (_, n) => ({ number: `K${n}`, name: 'x' }))
    register.publish(companies)
    if (steps === 2) register.publish([...companies, { number: 'K5', name: 'x' }].slice(1))
    const source = await open(register)
    const page = (offset: number, limit: number) =>
      answerOf(source, 'changes', { dataset: 'offeneregister', since, offset, limit })
    expect(await page(0, 3)).toMatchObject({ truncated: true, next: 3, changes: { length: 3 } })
    expect(await page(3, 2)).toMatchObject({ truncated: false, changes: { length: 2 } })
    expect(await page(3, 2)).not.toHaveProperty('next')
  })

  it.each(['20200101T000000Z-00000000', 'nonsense'])('says what to do where it cannot tell since %s', async (since) => {
    const register = registerWith([anna])
    const answer = await (await open(register)).current.call('changes', { dataset: 'offeneregister', since })
    expect(answer).toMatchObject({
      ok: false,
      code: 'UNKNOWN_VERSION',
      message: expect.stringContaining(`Kept: ${register.current}. Read again`),
    })
  })

  it('tells from a version that is not kept itself, where all after it are', async () => {
    const register = registerWith([anna])
    const since = current(register)
    register.publish([bob])
    register.prune(since)
    expect(await answerOf(await open(register), 'changes', { dataset: 'offeneregister', since })).toMatchObject({
      counts: { company: { added: 1, removed: 1 } },
    })
  })

  it.each([
    [{ dataset: 'nobody' }, 'UNKNOWN_DATASET', 'offeneregister'],
    [{}, 'ARGUMENTS_INVALID', 'dataset'],
    [{ dataset: 'offeneregister', limit: 0 }, 'ARGUMENTS_INVALID', 'limit'],
  ])('given %j answers %s', async (args, code, word) => {
    const answer = await (await open(registerWith([anna]))).current.call('changes', args)
    expect(answer).toMatchObject({ ok: false, code, message: expect.stringContaining(word) })
  })
})

describe('steps between versions', () => {
  const bases: Readonly<Record<string, string | null>> = { a: null, b: 'a', c: 'b', d: 'b' }
  const steps = (from: string, to: string) =>
    stepsBetween(from, to, (version) => bases[version])?.map(({ version, direction }) => `${direction} ${version}`)

  it.each([
    ['a', 'c', ['forward b', 'forward c']],
    ['c', 'a', ['back c', 'back b']],
    ['c', 'd', ['back c', 'forward d']],
    ['b', 'b', []],
    ['x', 'c', undefined],
  ])('lead from %s to %s', (from, to, expected) => {
    expect(steps(from, to)).toEqual(expected)
  })
})

describe('combined changes', () => {
  const row = (op: Change['op'], n = 1): Change => ({ table: 't', key: [n], op })
  const changed = (before: string, after: string): Change => ({ ...row('changed'), fields: { name: [before, after] } })
  const keyed = (...steps: readonly Change[]) =>
    combine(
      steps.map((step) => [step]),
      () => true,
    ).changes

  it.each([
    ['added, then changed', [row('added'), changed('a', 'b')], [row('added')]],
    ['added, then removed', [row('added'), row('removed')], []],
    ['changed, then removed', [changed('a', 'b'), row('removed')], [row('removed')]],
    ['changed twice', [changed('a', 'b'), changed('b', 'c')], [changed('a', 'c')]],
    ['changed and back', [changed('a', 'b'), changed('b', 'a')], []],
    ['removed and added', [row('removed'), row('added')], [row('changed')]],
  ])('are right where a record was %s', (_what, steps, expected) => {
    expect(keyed(...steps)).toEqual(expected)
  })

  it('of a table without a key are counted', () => {
    const steps = [
      [row('added'), row('added'), row('removed', 2)],
      [row('removed'), row('added', 2)],
    ]
    expect(combine(steps, () => false).changes).toEqual([row('added')])
  })

  it('undone are the other way round', () => {
    expect(undone(changed('a', 'b'))).toEqual(changed('b', 'a'))
    expect(undone(row('added'))).toEqual(row('removed'))
  })
})
