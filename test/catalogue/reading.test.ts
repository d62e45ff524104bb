import { describe, expect, it } from 'vitest'
import { digestOf } from '../../src/query/digest.ts'
import { bodyOf, open, registerWith } from './opened.ts'

const siemens = { number: 'K1_HRB1', name: 'Siemens Test', address: 'Ring 1', officers: ['Anna Müller', 'Bob Schmidt'] }
const bakery = { number: 'Hamburg HRB 150148', name: 'Bäckerei' }

describe('a record', () => {
  it('is read whole, with version, terms and what belongs to it', async () => {
    const register = registerWith([siemens])
    const source = await open(register)
    expect(await bodyOf(source, 'offeneregister://company/K1_HRB1')).toEqual({
      uri: 'offeneregister://company/K1_HRB1',
      dataset: 'offeneregister',
      version: register.current,
      asOf: '2026-11-30',
      record: { company_number: 'K1_HRB1', name: 'Siemens Test', registered_address: 'Ring 1', logo: null },
      related: {
        officers: [
          { company_id: 'K1_HRB1', ordinal: 1, name: 'Anna Müller' },
          { company_id: 'K1_HRB1', ordinal: 2, name: 'Bob Schmidt' },
        ],
      },
      licence: 'CC BY 4.0',
      attribution: 'OffeneRegister',
      source: 'https://offeneregister.example',
    })
  })

  it.each([
    'offeneregister://COMPANY/Hamburg~20HRB~20150148',
    'OFFENEREGISTER://Company/Hamburg%20HRB%20150148/',
    'offeneregister://company/Hamburg HRB 150148',
    'offeneregister://table/company/Hamburg~20HRB~20150148',
  ])('is found at %s, and answers with its own spelling', async (uri) => {
    const source = await open(registerWith([bakery]))
    expect(await bodyOf(source, uri)).toMatchObject({
      uri: 'offeneregister://company/Hamburg~20HRB~20150148',
      record: { name: 'Bäckerei' },
    })
  })

  it('with a slash in its key is found although a host decoded it', async () => {
    const source = await open(registerWith([{ number: 'A/B', name: 'Slash' }]))
    expect(await bodyOf(source, 'offeneregister://company/A/B')).toMatchObject({
      uri: 'offeneregister://company/A~2FB',
      record: { name: 'Slash' },
    })
  })

  it('is found by a key of several columns, numbers among them', async () => {
    const source = await open(registerWith([siemens]))
    expect(await bodyOf(source, 'offeneregister://officer/K1_HRB1/2')).toMatchObject({
      record: { company_id: 'K1_HRB1', ordinal: 2, name: 'Bob Schmidt' },
    })
  })

  it('as of a kept version stays what it was, for a year', async () => {
    const register = registerWith([siemens])
    const version = register.current
    register.publish([{ ...siemens, name: 'Siemens Neu' }])
    const source = await open(register)
    const uri = `offeneregister://snapshots/${version}/company/K1_HRB1`
    expect(await bodyOf(source, uri)).toMatchObject({ uri, version, record: { name: 'Siemens Test' } })
    expect((await source.current.read(uri)).ttlMs).toBe(365 * 24 * 60 * 60 * 1000)
    expect(await bodyOf(source, 'offeneregister://company/K1_HRB1')).toMatchObject({ record: { name: 'Siemens Neu' } })
  })

  it('has the digest that readers compute of it', async () => {
    const source = await open(registerWith([siemens]))
    const uri = 'offeneregister://company/K1_HRB1'
    const reading = await source.current.read(uri)
    const { record, related } = (await bodyOf(source, uri)) as unknown as Parameters<typeof digestOf>[0]
    expect(reading.digest).toBe(digestOf({ record, related }))
    expect(await source.current.digests([uri])).toEqual([reading.digest])
  })

  it('says that it is invented where it is', async () => {
    const register = registerWith()
    register.publish([siemens], { sample: true })
    const source = await open(register)
    expect(await bodyOf(source, 'offeneregister://company/K1_HRB1')).toMatchObject({
      sample: expect.stringContaining('Invented'),
    })
    expect(await bodyOf(source, 'offeneregister://dataset')).toMatchObject({
      sample: expect.stringContaining('Invented'),
    })
  })

  it('gives a BLOB as a content of its own, with the type it is recognised as', async () => {
    const logo = Buffer.from('89504e470d0a1a0a00', 'hex')
    const source = await open(registerWith([{ ...siemens, logo }]))
    const { contents } = await source.current.read('offeneregister://company/K1_HRB1')
    expect(contents[1]).toEqual({
      uri: 'offeneregister://company/K1_HRB1#logo',
      mimeType: 'image/png',
      blob: logo.toString('base64'),
    })
    expect(await bodyOf(source, 'offeneregister://company/K1_HRB1')).toMatchObject({
      record: { logo: { blob: 'offeneregister://company/K1_HRB1#logo', mimeType: 'image/png', bytes: 9 } },
    })
  })

  it('over 100 KB is cut into pages that together hold every related row once', async () => {
    const officers = Array.from({ length: 3000 }, (_, index) => `Officer ${index} ${'x'.repeat(60)}`)
    const source = await open(registerWith([{ ...siemens, officers }]))
    const seen: unknown[] = []
    let uri: string | undefined = 'offeneregister://company/K1_HRB1'
    const pages: string[] = []
    while (uri !== undefined) {
      pages.push(uri)
      const body: Record<string, unknown> = await bodyOf(source, uri)
      expect(JSON.stringify(body).length).toBeLessThan(102_000)
      expect('record' in body).toBe(pages.length === 1)
      seen.push(...(body.related as { officers: { name: string }[] }).officers.map(({ name }) => name))
      uri = body.next as string | undefined
    }
    expect(seen).toEqual(officers)
    expect(pages[1]).toBe('offeneregister://company/K1_HRB1?page=2')
    await expect(
      source.current.read(`offeneregister://company/K1_HRB1?page=${pages.length + 1}`),
    ).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })
})

describe('a row that is wider than a page', () => {
  it('has the page to itself, whole, and the page says so', async () => {
    const officers = ['Before', 'x'.repeat(150_000), 'After']
    const source = await open(registerWith([{ ...siemens, officers }]))
    const seen: [number, boolean][] = []
    let uri: string | undefined = 'offeneregister://company/K1_HRB1'
    while (uri !== undefined) {
      const body: Record<string, unknown> = await bodyOf(source, uri)
      const lengths = (body.related as { officers?: { name: string }[] }).officers?.map(({ name }) => name.length) ?? []
      seen.push(...lengths.map((length): [number, boolean] => [length, typeof body.wide === 'string']))
      uri = body.next as string | undefined
    }
    expect(seen).toEqual([
      [6, false],
      [150_000, true],
      [5, false],
    ])
  })

  it('is the same for the rows of a query', async () => {
    const names = ['a', 'b'.repeat(150_000), 'c']
    const register = registerWith(names.map((name, place) => ({ number: `K${place}`, name })))
    register.writeSchema({
      namespace: 'offeneregister',
      name: 'R',
      version: '3.0.0',
      description: 'R.',
      root: '',
      tools: {},
      resources: {
        db: {
          source: 'sqlite',
          database: 'openregister.db',
          origin: 'global',
          description: 'R.',
          queries: {
            all: { sql: 'SELECT name FROM company ORDER BY company_number', description: 'All.', parameters: {} },
          },
        },
      },
    })
    const source = await open(register)
    const pages = await Promise.all(
      ['', '?page=2', '?page=3'].map((page) => bodyOf(source, `offeneregister://query/all${page}`)),
    )
    expect(pages.map(({ rows, wide }) => [(rows as { name: string }[]).map(({ name }) => name.length), wide])).toEqual([
      [[1], undefined],
      [[150_000], expect.stringMatching(/^One row alone/)],
      [[1], undefined],
    ])
  })
})

describe('reading', () => {
  it.each([
    'offeneregister://company/nobody',
    'offeneregister://company/~0',
    'offeneregister://firm/K1_HRB1',
    'offeneregister://officer/K1_HRB1',
    'offeneregister://officer/K1_HRB1/1/2',
    'offeneregister://officer/K1_HRB1/two',
    'offeneregister://query/nothing',
    'offeneregister://dataset?page=2',
    'offeneregister://company/K1_HRB1?page=2',
    'other://dataset',
    'nonsense',
  ])('%s says that nothing is there, and names the URI', async (uri) => {
    const source = await open(registerWith([siemens]))
    const error = await source.current.read(uri).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'NOT_FOUND', data: { uri: expect.any(String) } })
  })

  it('an unknown version says which are kept', async () => {
    const register = registerWith([siemens])
    const source = await open(register)
    await expect(
      source.current.read('offeneregister://snapshots/20200101T000000Z-00000000/company/K1_HRB1'),
    ).rejects.toMatchObject({ code: 'UNKNOWN_VERSION', message: expect.stringContaining(register.current ?? '') })
  })

  it('a dataset tells its terms, tables, runs and state, as JSON and as a sheet for people', async () => {
    const register = registerWith([siemens, bakery])
    register.writeState({
      nextRun: '2026-12-02T03:00:00.000Z',
      lastRun: { run: 'r1', outcome: 'published', at: '2026-12-01T03:01:00.000Z' },
    })
    const source = await open(register, { now: () => new Date('2026-12-01T15:00:00Z') })
    const reading = await source.current.read('offeneregister://dataset')
    expect(await bodyOf(source, 'offeneregister://dataset')).toMatchObject({
      title: 'German company register data (OffeneRegister)',
      publisher: 'Open Knowledge Foundation',
      licence: 'CC BY 4.0',
      licenceUrl: 'https://creativecommons.org/licenses/by/4.0/',
      attribution: 'OffeneRegister',
      version: register.current,
      asOf: '2026-11-30',
      retrievedAt: '2026-12-01T03:00:00.000Z',
      nextRun: '2026-12-02T03:00:00.000Z',
      state: 'current',
      tables: [
        { name: 'company', rows: 2, uri: 'offeneregister://company/{company_number}' },
        { name: 'officer', rows: 2, uri: 'offeneregister://officer/{company_id}/{ordinal}' },
      ],
    })
    expect(reading.contents[1]).toMatchObject({
      mimeType: 'text/markdown',
      text: expect.stringContaining('| company | 2 | Companies. |'),
    })
    expect(reading.ttlMs).toBe(12 * 60 * 60 * 1000)
  })

  it('a dataset whose next run passed is due, and its digest is the same: only time went by', async () => {
    const register = registerWith([siemens])
    register.writeState({
      nextRun: '2026-12-02T03:00:00.000Z',
      lastRun: { run: 'r1', outcome: 'published', at: '2026-12-01T03:01:00.000Z' },
    })
    let now = new Date('2026-12-01T15:00:00Z')
    const source = await open(register, { now: () => now })
    const before = await source.current.read('offeneregister://dataset')
    now = new Date('2026-12-02T04:00:00Z')
    const after = await source.current.read('offeneregister://dataset')
    expect(await bodyOf(source, 'offeneregister://dataset')).toMatchObject({ state: 'due' })
    expect(after.digest).toBe(before.digest)
    expect(after.ttlMs).toBe(0)
  })

  it('a schema tells tables, columns, keys, relations and full-text indexes', async () => {
    const source = await open(registerWith([siemens]))
    expect(await bodyOf(source, 'offeneregister://schema')).toMatchObject({
      tables: [
        { name: 'company', key: ['company_number'], related: [{ name: 'officers', table: 'officer' }] },
        { name: 'officer', key: ['company_id', 'ordinal'] },
      ],
      views: [{ name: 'companies' }],
      fullText: [{ name: 'company_fts', table: 'company' }, { name: 'officer_fts' }],
    })
  })

  it('snapshots are the kept ones, newest first, with the moves of the pointer', async () => {
    const register = registerWith([siemens], [siemens, bakery])
    const source = await open(register)
    const body = await bodyOf(source, 'offeneregister://snapshots')
    expect(body).toMatchObject({
      current: register.current,
      snapshots: [
        { version: register.current, rows: { company: 2 } },
        { rows: { company: 1 }, base: null },
      ],
      moves: [{ by: 'publish', version: register.current }, { by: 'publish' }],
    })
  })
})
