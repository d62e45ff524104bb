/**
 * The whole story on invented data: a publisher brings out a delivery, it becomes a snapshot, hosts of both eras
 * subscribe to two companies each, the next delivery comes, and each host is told of exactly what reads differently.
 * Every step is checked; whatever happens, processes and files of the demo are gone afterwards.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { packageRoot } from '../package-root.ts'
import { type Host, legacyHost, modernHost } from './host.ts'
import { type Running, runCommand, startCommand } from './processes.ts'
import { type Publisher, startPublisher } from './publisher.ts'
import { collect, type Told } from './told.ts'

const dataset = 'offeneregister'
const company = (number: string): string => `${dataset}://company/${number}`

/** Which companies each host watches, and what becomes of them in the second delivery (data/offeneregister/README.md). */
const watched = {
  legacy: { changed: company('K1101R_HRB150148'), same: company('D2601V_VR900772') },
  modern: { changed: company('D2601V_HRB900148'), gone: company('R3306_HRB900600') },
} as const

/** Milliseconds the whole story may take. */
const timeLimitMs = 60_000

export type Say = (line: string) => void

class StepFailed extends Error {
  override readonly name = 'StepFailed'
}

const check = (holds: boolean, what: string): void => {
  if (!holds) throw new StepFailed(what)
}

/** Runs the story. Throws where a step does not happen as told, and where the signal aborts; cleans up either way. */
export const tellStory = async (say: Say, interrupted: AbortSignal): Promise<void> => {
  const root = await mkdtemp(join(tmpdir(), 'stichtag-demo-'))
  const cleanUp: (() => Promise<unknown>)[] = [() => rm(root, { recursive: true, force: true })]
  try {
    await Promise.race([story(say, root, cleanUp), abortOf(interrupted)])
  } finally {
    for (const each of cleanUp.toReversed()) await each()
  }
}

/** Rejects when the signal aborts. */
const abortOf = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const stop = (): void => reject(new StepFailed('it was interrupted'))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })

const story = async (say: Say, root: string, cleanUp: (() => Promise<unknown>)[]): Promise<void> => {
  const signal = AbortSignal.timeout(timeLimitMs)
  const [first, second] = await deliveries()
  const publisher = await startPublisher(first.name, first.bytes)
  cleanUp.push(() => publisher.close())
  const env = {
    ...process.env,
    STICHTAG_HOME: root,
    STICHTAG_SOURCE_OFFENEREGISTER: publisher.url,
    STICHTAG_CRON_OFFENEREGISTER: '* * * * * *',
    STICHTAG_LOG: 'info',
  }

  say('All companies and persons in this demo are invented.\n')
  say(`1. The publisher brings out a first delivery: ${publisher.url}`)
  const ingested = await ingest(env)
  say(`   ingested as ${ingested.version}: ${ingested.rows.company} companies, ${ingested.rows.officer} officers`)

  const gateway = startCommand(['serve', '--http', '127.0.0.1:0'], env)
  cleanUp.push(() => gateway.stop())
  const { url } = await gateway.line((line) => typeof line.url === 'string')
  say(`2. The gateway serves it, as a process of its own: ${String(url)}`)

  const legacy = await legacyHost({ url: String(url) })
  cleanUp.push(() => legacy.close())
  const modern = await modernHost({ url: String(url) })
  cleanUp.push(() => modern.close())
  const told = { legacy: collect(legacy), modern: collect(modern) }
  await legacy.subscribe(Object.values(watched.legacy))
  await modern.subscribe(Object.values(watched.modern))
  say(`3. A host on MCP ${legacy.revision} subscribes to ${Object.values(watched.legacy).join(' and ')}`)
  say(`   A host on MCP ${modern.revision} subscribes to ${Object.values(watched.modern).join(' and ')}`)

  publisher.publish(second.bytes)
  say('4. The publisher brings out a second delivery; the scheduler looks every second.')
  const scheduler = startCommand(['schedule', '--datasets', dataset], env)
  cleanUp.push(() => scheduler.stop())
  await told.legacy.atLeast(1, signal)
  await told.modern.atLeast(2, signal)
  await untilUnchanged(publisher, scheduler)
  checkTold(told)

  say('5. Each host was told of what reads differently, and of nothing else:')
  await showChange(say, legacy, watched.legacy.changed, ingested.version)
  await showChange(say, modern, watched.modern.changed, ingested.version)
  await showGone(say, modern, watched.modern.gone, ingested.version)
  say(`   nobody was told of ${watched.legacy.same}, which reads as before.`)
  await showDiff(say, modern)
  say('\nEvery step happened as told.')
}

interface Delivery {
  readonly name: string
  readonly bytes: Buffer
}

const deliveries = async (): Promise<readonly [Delivery, Delivery]> => {
  const folder = join(packageRoot, 'data', dataset)
  const dates = (await readdir(folder)).filter((name) => /^\d{4}-\d{2}-\d{2}$/.test(name)).sort()
  const read = async (date: string | undefined): Promise<Delivery> => {
    const [name] = date === undefined ? [] : await readdir(join(folder, date))
    if (date === undefined || name === undefined) throw new StepFailed(`no bundled sample in ${folder}`)
    return { name, bytes: await readFile(join(folder, date, name)) }
  }
  return [await read(dates[0]), await read(dates[1])]
}

interface Ingested {
  readonly version: string
  readonly rows: Readonly<Record<string, number>>
}

const ingest = async (env: NodeJS.ProcessEnv): Promise<Ingested> => {
  const { status, stdout } = await runCommand(['ingest', dataset, '--json'], env)
  check(status === 0, `the first ingest ended with exit status ${status}`)
  // Our own command's documented output (DESIGN §4.3).
  const [result] = JSON.parse(stdout) as (Ingested & { outcome: string })[]
  check(result?.outcome === 'published', `the first ingest was ${result?.outcome}`)
  if (result === undefined) throw new StepFailed('the first ingest printed nothing')
  return result
}

/** Waits until the scheduler has run once more and found nothing new: what was to be told has been told by then. */
const untilUnchanged = async (publisher: Publisher, scheduler: Running): Promise<void> => {
  const before = publisher.requests.notModified
  await scheduler.line((line) => line.msg === 'run ended' && publisher.requests.notModified > before)
}

const checkTold = (told: { readonly legacy: Told; readonly modern: Told }): void => {
  const sorted = (uris: readonly string[]): string[] => [...uris].sort()
  check(isDeepStrictEqual(told.legacy.uris, [watched.legacy.changed]), `the 2025-era host was told ${told.legacy.uris}`)
  check(
    isDeepStrictEqual(sorted(told.modern.uris), sorted([watched.modern.changed, watched.modern.gone])),
    `the 2026-era host was told ${told.modern.uris}`,
  )
}

interface RecordReading {
  readonly version: string
  readonly record: Readonly<Record<string, unknown>>
  readonly related?: Readonly<Record<string, readonly unknown[]>>
}

/** Reads a record as the gateway documents it (DESIGN §4.4). */
const readRecord = async (host: Host, uri: string): Promise<RecordReading> => (await host.read(uri)) as RecordReading

const asOf = (uri: string, version: string): string => uri.replace('://', `://snapshots/${version}/`)

const showChange = async (say: Say, host: Host, uri: string, before: string): Promise<void> => {
  const now = await readRecord(host, uri)
  const then = await readRecord(host, asOf(uri, before))
  check(now.version !== before && then.version === before, `${uri} was not read at two versions`)
  check(!isDeepStrictEqual([now.record, now.related], [then.record, then.related]), `${uri} reads as before`)
  const history = (await host.read(uri.replace('://', '://history/'))) as { readonly versions?: readonly unknown[] }
  check(JSON.stringify(history).includes(before), `the history of ${uri} does not name ${before}`)
  say(`   MCP ${host.revision}: notifications/resources/updated ${uri}`)
  say(`     ${String(now.record.name)}`)
  for (const [column, value] of Object.entries(now.record)) {
    const old = then.record[column]
    if (!isDeepStrictEqual(old, value)) say(`     ${column}: ${JSON.stringify(old)} → ${JSON.stringify(value)}`)
  }
  for (const [name, rows] of Object.entries(now.related ?? {})) {
    const old = then.related?.[name] ?? []
    if (!isDeepStrictEqual(old, rows)) say(`     ${name}: ${old.length} → ${rows.length} rows, not the same`)
  }
}

const showGone = async (say: Say, host: Host, uri: string, before: string): Promise<void> => {
  const missing = await host.read(uri).then(
    () => false,
    () => true,
  )
  check(missing, `${uri} can still be read`)
  const then = await readRecord(host, asOf(uri, before))
  say(`   MCP ${host.revision}: notifications/resources/updated ${uri}`)
  say(`     gone; as of ${before} it was ${String(then.record.name)}`)
}

const showDiff = async (say: Say, host: Host): Promise<void> => {
  const { version } = (await host.read(`${dataset}://dataset`)) as { readonly version: string }
  const changes = await host.read(`${dataset}://changes/${version}`)
  const text = JSON.stringify(changes)
  check(text.includes('"changed"') && text.includes('K1101R_HRB150148'), 'the changes do not name the changed company')
  say(`6. All that changed is at ${dataset}://changes/${version}, and in: stichtag diff ${dataset}`)
}
