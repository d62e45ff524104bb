import { describe, expect, it } from 'vitest'
import { errorKinds } from '../../src/errors.ts'
import { readState } from '../../src/store/snapshots.ts'
import { delivery, ingest, place } from '../ingest/ingesting.ts'
import { places } from '../pipeline/places.ts'
import { scratchStore } from '../store/scratch-store.ts'
import { answerOf, bodyOf, open, registerWith } from './opened.ts'

const siemens = { number: 'K1', name: 'Siemens' }
const path = '/home/somebody/secret/places.jsonl'
const at = '2026-12-01T04:00:00.000Z'

const shownWith = async (reason: { code: string; message: string }) => {
  const register = registerWith([siemens])
  register.writeState({ lastRun: { run: 'r', outcome: 'failed', at, reason } })
  const source = await open(register)
  return {
    resource: await bodyOf(source, 'offeneregister://dataset'),
    tool: await answerOf(source, 'list_datasets', { dataset: 'offeneregister' }),
  }
}

describe('the reason of a last run, as hosts see it,', () => {
  const ownWords = ['GUARD', 'HELD']

  it.each([...Object.keys(errorKinds).filter((code) => !ownWords.includes(code)), 'INTERRUPTED', 'constructor'])(
    'names no file of this machine where it is %s',
    async (code) => {
      const { resource, tool } = await shownWith({ code, message: `cannot read ${path}: permission denied` })
      expect(resource.lastRun).toEqual({
        outcome: 'failed',
        at,
        reason: { code, message: expect.stringMatching(/^[A-Z][^/]+\. The current snapshot stays\.$/) },
      })
      expect(JSON.stringify([resource, tool])).not.toContain('/home/')
      expect(JSON.stringify(tool)).toContain(code)
    },
  )

  it.each(ownWords)('is told in full where it is %s: figures and versions', async (code) => {
    const { resource } = await shownWith({ code, message: 'place shrank from 10 to 5 rows' })
    expect(resource.lastRun).toMatchObject({ reason: { code, message: 'place shrank from 10 to 5 rows' } })
  })
})

describe('a refusal’s own words', () => {
  it('name no file of this machine, though examples of rejected records are among them', async () => {
    const store = scratchStore()
    const guarded = { ...places, guards: { maxRejected: 0.1 } }
    await ingest(store, delivery([place('a'), place('b')]), { definition: guarded })
    const from = delivery(`${JSON.stringify(place('a'))}\n{"name":"without an id"}\n`)
    await ingest(store, from, { definition: guarded })
    const reason = readState(store, 'places').lastRun?.reason
    expect(reason?.code).toBe('GUARD')
    expect(reason?.message).toContain('line 2')
    expect(reason?.message).not.toContain(from)
    expect(reason?.message).not.toContain(store.root)
  })
})
