/** What is said of records and versions that are not current any more. */
import { describe, expect, it } from 'vitest'
import { answerOf, open, registerWith } from './opened.ts'

const [anna, bob, carl] = ['Anna', 'Bob', 'Carl'].map((name, index) => ({ number: `K${index + 1}`, name }))
if (!anna || !bob || !carl) throw new Error('there are three')

describe('a record that is not there', () => {
  it('is said to have been in an older version, where it was', async () => {
    const register = registerWith([anna, bob], [anna], [anna, carl])
    const source = await open(register)
    const { text } = await answerOf(source, 'fetch', { id: 'offeneregister://snapshots' })
    const first: string = JSON.parse(String(text)).snapshots[2].version
    const answer = await source.current.call('fetch', { id: 'offeneregister://company/K2' })
    expect(answer).toMatchObject({ ok: false, code: 'NOT_FOUND' })
    const message = answer.ok ? '' : answer.message
    expect(message).toContain(`company has no such record in ${register.current}. It was in ${first}:`)
    const uris = message.match(/offeneregister:\/\/(?:snapshots|history)\/[\w/-]+/g) ?? []
    expect(uris).toEqual([`offeneregister://snapshots/${first}/company/K2`, 'offeneregister://history/company/K2'])
    for (const uri of uris) expect(await answerOf(source, 'fetch', { id: uri })).toMatchObject({ id: uri })
  })

  it.each(['K9', 'K2'])('is only said not to be there where no other version had it: %s', async (key) => {
    const register = registerWith([anna])
    register.publish([anna, bob], { sample: false })
    register.publish([anna])
    const source = await open(register)
    const answer = await source.current.call('fetch', { id: `offeneregister://company/${key}` })
    const message = answer.ok ? '' : answer.message
    expect(message.includes('It was in')).toBe(key === 'K2')
  })

  it('was in no real version where only an invented sample had it', async () => {
    const register = registerWith()
    register.publish([bob], { sample: true })
    register.publish([anna])
    const answer = await (await open(register)).current.call('fetch', { id: 'offeneregister://company/K2' })
    expect(answer).toMatchObject({ ok: false, message: expect.not.stringContaining('It was in') })
  })
})

describe('changes since', () => {
  it.each([['2026-12-01'], ['20261201'], ['01.12.2026'], ['2027-01-01']])(
    'a day are those since the version that was the latest then: %s',
    async (since) => {
      const register = registerWith([anna], [anna, bob])
      expect(await answerOf(await open(register), 'changes', { dataset: 'offeneregister', since })).toMatchObject({
        since: register.current,
        changes: [],
      })
    },
  )

  it.each([
    ['2026-11-30', /no version is kept that is as old as 2026-11-30\. Kept: 2026/],
    [
      '2026-11-31',
      /since "2026-11-31" cannot be told: that is no version, such as 2026.*, and no day, such as 2026-12-01/,
    ],
    ['last week', /since "last week" cannot be told: that is no version/],
    ['20250101T000000Z-00000000', /cannot be told/],
  ])('what is no kept version says why: %s', async (since, message) => {
    const source = await open(registerWith([anna], [anna, bob]))
    expect(await source.current.call('changes', { dataset: 'offeneregister', since })).toMatchObject({
      ok: false,
      code: 'UNKNOWN_VERSION',
      message: expect.stringMatching(message),
    })
  })
})
