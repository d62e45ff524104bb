/** A gateway as a process over the bundled sample, in folders of its own: what it must leave as it is. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { main, runCommand } from '../../src/demo/processes.ts'

export interface CorpusGateway {
  readonly url: string
  readonly processId: number
  /** The folder that holds all its others: its store, its working folder, its folder for temporary files. */
  readonly folder: string
  /** Every file in its folders, with what tells that it was written to. */
  files(): readonly string[]
  /** Ids of its reader processes. */
  readers(): readonly number[]
  /** Processor time that a process took so far, in hundredths of a second. */
  processorTime(id: number): number
  isAlive(id: number): boolean
  stop(): Promise<void>
  /** Stops it, and removes its folders. */
  close(): Promise<void>
}

/** Starts a gateway over the sample, with two readers and this time limit for statements. */
export const startGateway = async (queryTimeoutMs: number): Promise<CorpusGateway> => {
  const folder = mkdtempSync(join(tmpdir(), 'stichtag-corpus-'))
  const [home, work, temporary] = ['home', 'work', 'temporary'].map((name) => join(folder, name))
  if (home === undefined || work === undefined || temporary === undefined) throw new Error('three folders')
  for (const path of [home, work, temporary]) mkdirSync(path)
  const env = {
    ...process.env,
    STICHTAG_HOME: home,
    STICHTAG_QUERY_TIMEOUT: String(queryTimeoutMs),
    STICHTAG_READERS: '2',
    STICHTAG_LOG: 'info',
    TMPDIR: temporary,
    SQLITE_TMPDIR: temporary,
  }
  await runCommand(['ingest', 'offeneregister', '--sample'], env)
  const child = spawn(process.execPath, [main, 'serve', '--http', '127.0.0.1:0'], {
    env,
    cwd: work,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = once(child, 'exit')
  const url = await addressIn(child.stderr)
  if (child.pid === undefined) throw new Error('the gateway did not start')
  const processId = child.pid
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await exited
  }
  return {
    url,
    processId,
    folder,
    files: () => filesIn(folder),
    readers: () => childrenOf(processId),
    processorTime: (id) => {
      // Of /proc/[pid]/stat: user and system time are the 14th and 15th field, the 12th and 13th after the name.
      const fields = procFile(id, 'stat').split(') ')[1]?.split(' ') ?? []
      return Number(fields[11] ?? 0) + Number(fields[12] ?? 0)
    },
    isAlive: (id) => /^State:\s+[^Z]/m.test(procFile(id, 'status')),
    stop,
    close: async () => {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The address in the gateway's log, which is read on to its end: a full pipe would hold the gateway up. */
const addressIn = (log: NodeJS.ReadableStream): Promise<string> =>
  new Promise((resolve, reject) => {
    const lines = createInterface({ input: log })
    lines.on('line', (line) => {
      const [, url] = /"url":"([^"]+)"/.exec(line) ?? []
      if (url !== undefined) resolve(url)
    })
    lines.on('close', () => reject(new Error('the gateway ended before it served')))
  })

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => {
      const { ino, size, mtimeMs } = statSync(join(folder, name))
      return `${name} ${ino} ${size} ${mtimeMs}`
    })
    .sort()

/** What the system tells of a process; nothing once it is gone. */
const procFile = (processId: number, name: string): string => {
  try {
    return readFileSync(`/proc/${processId}/${name}`, 'utf8')
  } catch (error) {
    // It ended between being listed and being looked at.
    if (error instanceof Error && 'code' in error) return ''
    throw error
  }
}

const childrenOf = (processId: number): readonly number[] =>
  procFile(processId, `task/${processId}/children`)
    .split(' ')
    .filter((id) => id.trim() !== '')
    .map(Number)

/** Memory (resident set) of a process in MiB; 0 once it is gone. */
export const memoryOf = (processId: number): number => {
  const [, kibibytes] = /VmRSS:\s+(\d+)/.exec(procFile(processId, 'status')) ?? []
  return Number(kibibytes ?? 0) / 1024
}
