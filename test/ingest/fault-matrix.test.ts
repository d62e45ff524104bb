import { gzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import type { RunResult } from '../../src/ingest/run.ts'
import type { PipelineDefinition } from '../../src/pipeline/types.ts'
import { downloadsFolder, ledgerPath, type Store } from '../../src/store/layout.ts'
import { readState } from '../../src/store/snapshots.ts'
import { zipOf } from '../formats/zip-builder.ts'
import { places } from '../pipeline/places.ts'
import { startScript } from '../store/child.ts'
import { scratchStore, treeOf } from '../store/scratch-store.ts'
import { type Behaviour, cutAfter, fileServer, ok, serve, status } from './download-server.ts'
import { current, delivery, ingest, keptIn, linesOf, manyPlaces, query } from './ingesting.ts'

/** Each run is a process of its own. */
const patience = 300_000
const script = new URL('./faulty-run.ts', import.meta.url)

const ten = linesOf(manyPlaces(10))
const eleven = linesOf(manyPlaces(11))
const twelve = linesOf(manyPlaces(12))

const steps = [
  'download',
  'open',
  'read',
  'map',
  'load',
  'guard',
  'index',
  'full text',
  'seal',
  'compare',
  'publish',
] as const
type Step = (typeof steps)[number]

const faults = ['killed', 'exception', 'disk full', 'source cut', 'source wrong'] as const

const writesNothing = 'it writes nothing: rows are written when they are loaded'
const readsNoSource = 'it works on the building snapshot, and reads nothing of the source any more'

/** Why a fault cannot be met at a step. Every other pair of the two has a test below. */
const impossible: Readonly<Record<Step, Partial<Record<(typeof faults)[number], string>>>> = {
  download: {},
  open: {},
  read: { 'disk full': writesNothing },
  map: {
    'disk full': writesNothing,
    'source cut': 'what is mapped is a whole record: a cut is met where the file is opened or read',
  },
  load: { 'source cut': 'what is loaded are rows: a cut is met where the file is opened or read' },
  guard: { 'source cut': 'a file that is cut between two records is one with too few of them: source wrong' },
  index: { 'source cut': readsNoSource, 'source wrong': readsNoSource },
  'full text': { 'source cut': readsNoSource, 'source wrong': readsNoSource },
  seal: { 'source cut': readsNoSource, 'source wrong': readsNoSource },
  compare: { 'source cut': readsNoSource, 'source wrong': readsNoSource },
  publish: { 'source cut': readsNoSource, 'source wrong': readsNoSource },
}

/** What a delivery is like that meets a fault at a step: an archive within one is unpacked to be opened. */
const deliveryFor = (step: Step, fault: (typeof faults)[number]): string =>
  step === 'open' && fault === 'disk full'
    ? delivery(zipOf({ name: 'in.zip', content: zipOf({ name: 'places.jsonl', content: eleven }) }), 'places.zip')
    : delivery(eleven)

/** Where what is wrong is noticed by somebody who gives it a code of his own. */
const codeOfException: Partial<Record<Step, string>> = {
  download: 'FILE_NOT_FOUND',
  open: 'FILE_NOT_FOUND',
  map: 'PIPELINE_INVALID',
}

/** All of a store but what a failed run writes too, and what it may have fetched. */
const dataOf = (store: Store): Record<string, string> =>
  Object.fromEntries(
    Object.entries(treeOf(store.root)).filter(
      ([name]) => !/runs\.db|state\.json$|^data\/downloads|\.building-|\/\.[^/]*\.[0-9a-f]{8}$/.test(name),
    ),
  )

const leftovers = (store: Store): string[] =>
  Object.keys(treeOf(store.root)).filter((name) =>
    /\.building-|\/\.[^/]*\.[0-9a-f]{8}$|\.part(?:\.json)?$|-journal$/.test(name),
  )

const ledgerOf = (store: Store): { outcome: string | null; code: string | null }[] => {
  const ledger = new Database(ledgerPath(store))
  try {
    return ledger
      .prepare<[], { outcome: string | null; code: string | null }>('SELECT outcome, code FROM run ORDER BY rowid')
      .all()
  } finally {
    ledger.close()
  }
}

const storeOfTen = async (): Promise<Store> => {
  const store = scratchStore()
  expect((await ingest(store, delivery(ten))).outcome).toBe('published')
  return store
}

/** A process that makes runs with faults; null stands for a run that it did not survive. */
const startRunner = () => {
  const child = startScript(script, [])
  return async (store: Store, from: string, fault: string, where: string) => {
    child.process.stdin?.write(`${JSON.stringify({ root: store.root, from, fault, where })}\n`)
    const line = await child.line()
    if (line === null) return { ended: await child.ended(), result: null }
    // Printed by the script: the result of a run.
    return { ended: null, result: JSON.parse(line) as RunResult }
  }
}

/** Runs a delivery into a fault, in a process of its own. */
const faultyRun = (...run: Parameters<ReturnType<typeof startRunner>>) => startRunner()(...run)

/** What must hold after a fault, whatever it was: current is what it was, and the next run leaves nothing of it. */
const expectMended = async (store: Store, before: Record<string, string>, codes: readonly (string | null)[]) => {
  expect(dataOf(store)).toEqual(before)
  expect(query(store, 'SELECT count(*) FROM place')).toEqual([[10]])
  expect(await ingest(store, delivery(twelve))).toMatchObject({ outcome: 'published', rows: { place: 12 } })
  expect(leftovers(store)).toEqual([])
  expect(keptIn(store)).toHaveLength(2)
  const [, faulty, next] = ledgerOf(store)
  expect(codes).toContain(faulty?.code)
  expect([faulty?.outcome, next?.outcome]).toEqual(['failed', 'published'])
}

describe.each(steps)('a run that, at the step "%s",', (step) => {
  it('is killed', { timeout: patience }, async () => {
    const store = await storeOfTen()
    const before = dataOf(store)
    expect((await faultyRun(store, delivery(eleven), 'kill', step)).ended).toBe('SIGKILL')
    await expectMended(store, before, ['INTERRUPTED'])
  })

  it('meets an exception', { timeout: patience }, async () => {
    const store = await storeOfTen()
    const before = dataOf(store)
    const { result } = await faultyRun(store, delivery(eleven), 'throw', step)
    expect(result).toMatchObject({
      outcome: 'failed',
      reason: { message: expect.stringContaining(`broken at ${step}`) },
    })
    await expectMended(store, before, [codeOfException[step] ?? 'INTERNAL'])
  })

  const isDiskUsed = impossible[step]['disk full'] === undefined

  it.runIf(isDiskUsed)('finds the disk full for a moment', { timeout: patience }, async () => {
    const store = await storeOfTen()
    const before = dataOf(store)
    const { result } = await faultyRun(store, deliveryFor(step, 'disk full'), 'full', step)
    expect(result).toMatchObject({ outcome: 'failed', reason: { code: 'STORE_UNWRITABLE' } })
    await expectMended(store, before, ['STORE_UNWRITABLE'])
  })

  it.runIf(isDiskUsed)('finds the disk full for good', { timeout: patience }, async () => {
    const store = await storeOfTen()
    const before = dataOf(store)
    const { result } = await faultyRun(store, deliveryFor(step, 'disk full'), 'full for good', step)
    expect(result).toMatchObject({ outcome: 'failed', reason: { code: 'STORE_UNWRITABLE' } })
    // On a disk that is full not even the ledger can be written: the next run says in it what it found.
    await expectMended(store, before, ['INTERRUPTED'])
  })
})

describe('a disk that is full', () => {
  it('at any one write of a run leaves one version or the other, whole, and nothing behind', {
    timeout: patience,
  }, async () => {
    await using server = await serve(fileServer(linesOf(manyPlaces(3)), { etag: '"3"' }))
    const seen = new Set<unknown>()
    const runInto = startRunner()
    for (let write = 1; ; write += 1) {
      const store = scratchStore()
      await ingest(store, delivery(manyPlaces(2)))
      const { result } = await runInto(store, server.url, 'full', String(write))
      const [[count] = []] = query(store, 'SELECT count(*) FROM place') as number[][]
      seen.add(count)
      expect(query(store, 'PRAGMA integrity_check')).toEqual([['ok']])
      if (result?.outcome === 'published') {
        expect(write).toBeGreaterThan(20)
        break
      }
      expect(result).toMatchObject({ outcome: 'failed', reason: { code: 'STORE_UNWRITABLE' } })
      expect(current(store).tables[0]?.rows).toBe(count)
      await ingest(store, delivery(twelve))
      expect(leftovers(store).filter((name) => !name.includes('.part'))).toEqual([])
      expect(readState(store, 'places').history.map(({ version }) => version)).toEqual(keptIn(store))
    }
    expect(seen).toEqual(new Set([2, 3]))
  })
})

const gzipped = gzipSync(eleven)

/** Cuts the first answer, and puts off whoever asks again for longer than anybody waits. */
const breakingOff = (): Behaviour => {
  const answers = [cutAfter(100, eleven, { etag: '"11"' })]
  return (request, response) => (answers.pop() ?? status(503, { 'retry-after': '99999' }))(request, response)
}

/** What a source can do, with the step that notices it and the code that says so. */
const sourceFaults: readonly [Step, 'source cut' | 'source wrong', string, Behaviour, string][] = [
  ['download', 'source cut', 'breaks off, and lets nobody go on', breakingOff(), 'SOURCE_FAILED'],
  [
    'download',
    'source wrong',
    'answers with a page',
    ok('<!doctype html><html>maintenance</html>'),
    'NOT_WHAT_IT_SAYS',
  ],
  ['download', 'source wrong', 'answers with nothing', ok(''), 'NOT_WHAT_IT_SAYS'],
  ['download', 'source wrong', 'is gone', status(404), 'SOURCE_RETIRED'],
  ['download', 'source wrong', 'lets nobody in', status(403), 'SOURCE_FAILED'],
  ['open', 'source cut', 'sends half of a compressed file', ok(gzipped.subarray(0, -20)), 'DATA_CORRUPT'],
  [
    'open',
    'source wrong',
    'sends a compressed file with a hole',
    ok(Buffer.from(gzipped).fill(0, 30, 40)),
    'DATA_CORRUPT',
  ],
  ['open', 'source wrong', 'sends an archive', ok(zipOf({ name: 'a', content: eleven })), 'NOT_WHAT_IT_SAYS'],
  ['read', 'source cut', 'sends half a record', ok(eleven.slice(0, -5)), 'RECORD_INVALID'],
  ['read', 'source wrong', 'sends text of another kind', ok('id,name\na,A\n'), 'RECORD_INVALID'],
  ['map', 'source wrong', 'sends records of another kind', ok('{"name":"without an id"}\n'), 'RECORD_INVALID'],
  ['load', 'source wrong', 'sends one record twice', ok(`${eleven}${eleven}`), 'RECORD_INVALID'],
  ['guard', 'source wrong', 'sends hardly anything', ok(linesOf(manyPlaces(2))), 'GUARD'],
]

describe('the matrix of steps and faults', () => {
  it.each(steps)('has a test or a reason for each fault at the step "%s"', (step) => {
    for (const fault of faults) {
      const isTested = fault.startsWith('source')
        ? sourceFaults.some(([where, what]) => where === step && what === fault)
        : fault !== 'disk full' || impossible[step][fault] === undefined
      expect([fault, isTested]).toEqual([fault, impossible[step][fault] === undefined])
    }
  })
})

describe('a source that', () => {
  const at = (url: string): PipelineDefinition => ({
    ...places,
    sources: places.sources.map((source) => ({ ...source, url })),
  })
  it('breaks off once is gone on with from where it broke off', async () => {
    const store = await storeOfTen()
    const headers = { etag: '"11"' }
    await using server = await serve(cutAfter(100, eleven, headers), fileServer(eleven, headers))
    expect((await ingest(store, undefined, { definition: at(server.url) })).outcome).toBe('published')
    expect(server.requests.map(({ headers: { range } }) => range)).toEqual([
      undefined,
      expect.stringMatching(/^bytes=/),
    ])
    expect(leftovers(store)).toEqual([])
  })

  it.each(sourceFaults)(
    'at the step "%s" is a %s and %s leaves current as it is, says why, and is served again once it is well',
    { timeout: patience },
    async (_step, _fault, _words, behaviour, code) => {
      const store = await storeOfTen()
      const before = dataOf(store)
      await using server = await serve(behaviour)
      const result = await ingest(store, undefined, { definition: at(server.url) })
      expect(result).toMatchObject({ outcome: code === 'GUARD' ? 'refused' : 'failed', reason: { code } })
      expect(dataOf(store)).toMatchObject(before)
      expect(ledgerOf(store).at(-1)).toMatchObject({ code })
      await using mended = await serve(fileServer(twelve, {}))
      expect((await ingest(store, undefined, { definition: at(mended.url) })).outcome).toBe('published')
      expect(leftovers(store)).toEqual([])
      expect(Object.keys(treeOf(downloadsFolder(store, 'places'))).filter((name) => name.endsWith('.part'))).toEqual([])
    },
  )
})
