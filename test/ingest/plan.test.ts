import { describe, expect, it } from 'vitest'
import { converterVersion } from '../../src/ingest/converter.ts'
import { type PlanFacts, type PlannedFile, planRun } from '../../src/ingest/plan.ts'
import { emptyState, type State } from '../../src/store/state.ts'
import { places } from '../pipeline/places.ts'
import { manifestExample } from '../store/manifest-example.ts'

const url = places.sources[0]?.url ?? ''
const name = 'places.jsonl.gz'
const current = manifestExample('20261201T030512Z-00000001', { fingerprint: 'f1', converterVersion })

const facts = (over: Partial<PlanFacts> = {}): PlanFacts => ({
  definition: places,
  fingerprint: 'f1',
  state: emptyState('places'),
  current: null,
  options: {},
  override: undefined,
  sampleFolder: '/samples/2026-11-01',
  ...over,
})

const fileOf = (over: Partial<PlanFacts>): PlannedFile | undefined => planRun(facts(over)).files[0]

const seen = (etag: string, location = url): State['validators'] => ({
  [name]: { url: location, sha256: '00', etag, lastModified: 'Tue, 01 Dec 2026 03:05:12 GMT' },
})
const refused = (etag: string, builtWith?: string): State['refused'] => ({
  version: '20261202T030512Z-00000002',
  validators: seen(etag),
  reason: { code: 'GUARD', message: 'too few' },
  ...(builtWith === undefined ? {} : { builtWith }),
})
const state = (over: Partial<State>): State => ({ ...emptyState('places'), ...over })

describe('where a plan takes its files from', () => {
  it('is what the pipeline declares', () => {
    expect(planRun(facts())).toEqual({
      dataset: 'places',
      origin: 'declared',
      files: [{ name, url, location: url }],
      base: null,
      rebuild: false,
      notModified: 'current',
      absoluteGuards: 'refuse',
      sample: false,
      accept: [],
      force: false,
    })
  })

  it('is a setting’s URL in place of the declared one; absolute guards then only warn', () => {
    const override = 'https://mirror.example/p.gz'
    expect(fileOf({ override })).toEqual({ name, url: override, location: override })
    expect(planRun(facts({ override }))).toMatchObject({ origin: 'setting', absoluteGuards: 'warn' })
  })

  it('is --from before a setting, and --sample before both', () => {
    const override = 'https://mirror.example/p.gz'
    expect(planRun(facts({ override, options: { from: '/tmp/p.jsonl' } })).origin).toBe('from')
    expect(planRun(facts({ override, options: { from: '/tmp/p.jsonl', sample: true } }))).toMatchObject({
      origin: 'sample',
      sample: true,
      absoluteGuards: 'warn',
      files: [{ location: '/samples/2026-11-01' }],
    })
  })

  it('is recorded without the folders of this machine', () => {
    expect(fileOf({ options: { from: '/home/ada/secret/p.jsonl' } })?.url).toBe('file:p.jsonl')
    expect(fileOf({ options: { sample: true } })?.url).toBe('sample:2026-11-01')
  })

  it('is recorded without a mirror’s password, and asked with it', () => {
    const from = 'https://ada:secret@mirror.example/p.gz?at=a@b'
    expect(fileOf({ options: { from } })).toMatchObject({
      url: 'https://mirror.example/p.gz?at=a@b',
      location: from,
    })
  })

  it('is a folder of the setting’s or of --from for each of several sources', () => {
    const definition = {
      ...places,
      sources: ['places.jsonl.gz', 'visits.jsonl'].map((each) => ({
        name: each,
        url,
        format: { type: 'jsonl' } as const,
      })),
    }
    const locations = (over: Partial<PlanFacts>) =>
      planRun(facts({ definition, ...over })).files.map((file) => file.location)
    const expected = ['https://m.example/d/places.jsonl.gz', 'https://m.example/d/visits.jsonl']
    expect(locations({ override: 'https://m.example/d/' })).toEqual(expected)
    expect(locations({ options: { from: 'https://m.example/d' } })).toEqual(expected)
    expect(locations({ options: { from: '/folder' } })).toEqual(['/folder', '/folder'])
  })
})

describe('what a plan sends along, so that an unchanged source costs nothing', () => {
  const validators = { etag: '"1"', lastModified: 'Tue, 01 Dec 2026 03:05:12 GMT' }

  it('is what the source said of the delivery that current was built from', () => {
    expect(fileOf({ current, state: state({ validators: seen('"1"') }) })?.validators).toEqual(validators)
  })

  it.each<[string, Partial<PlanFacts>]>([
    ['without a current snapshot', { current: null }],
    ['with --force', { options: { force: true } }],
    ['from another place', { override: 'https://mirror.example/p.gz' }],
    ['where the source said nothing', { state: state({ validators: { [name]: { url, sha256: '00' } } }) }],
    ['for a source that was never fetched', { state: state({ validators: {} }) }],
  ])('is nothing %s', (_, over) => {
    expect(fileOf({ current, state: state({ validators: seen('"1"') }), ...over })?.validators).toBeUndefined()
  })

  it('is what it said of a delivery that was refused: unchanged then means refused again', () => {
    const plan = planRun(facts({ current, state: state({ validators: seen('"1"'), refused: refused('"2"') }) }))
    expect(plan.files[0]?.validators?.etag).toBe('"2"')
    expect(plan.notModified).toBe('refused')
  })

  it('is that of current again where the refused delivery is to be accepted after all', () => {
    const refusedState = state({ validators: seen('"1"'), refused: refused('"2"') })
    const plan = planRun(facts({ current, state: refusedState, options: { acceptShrink: true } }))
    expect(plan.files[0]?.validators?.etag).toBe('"1"')
    expect(plan.notModified).toBe('current')
  })
})

describe('a rebuild', () => {
  it('is planned where the pipeline is another one than current was built with', () => {
    expect(planRun(facts({ current, fingerprint: 'f1' })).rebuild).toBe(false)
    expect(planRun(facts({ current, fingerprint: 'f2' })).rebuild).toBe(true)
    expect(planRun(facts({ current: null, fingerprint: 'f2' })).rebuild).toBe(false)
  })

  it('is planned where the converter is another one', () => {
    expect(planRun(facts({ current: { ...current, converterVersion: 'stichtag-0' } })).rebuild).toBe(true)
  })

  it('is not planned again where this very mapping was refused, but is for the next one', () => {
    const refusedState = state({ refused: refused('"2"', `${converterVersion} f2`) })
    expect(planRun(facts({ current, fingerprint: 'f2', state: refusedState })).rebuild).toBe(false)
    expect(planRun(facts({ current, fingerprint: 'f3', state: refusedState })).rebuild).toBe(true)
  })

  it('names the version that the new one is compared with', () => {
    expect(planRun(facts({ current })).base).toBe(current.version)
  })
})
