/** What other programs, and people's own files, may rely on. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { firstSample, openStage, type Stage, secondSample } from './stage.ts'

let stage: Stage | undefined
afterEach(() => stage?.close())

/** Another program: opens the pointer anew over and over, and prints each version it meets, once, until it is told to stop. */
const otherProgram = `
  import Database from 'better-sqlite3'
  import { createInterface } from 'node:readline'
  let stop = false
  createInterface({ input: process.stdin }).on('close', () => { stop = true })
  let last
  let opened = 0
  const look = () => {
    const database = new Database(process.argv[1], { readonly: true, fileMustExist: true })
    const version = database.prepare("SELECT value FROM meta WHERE key = 'version'").pluck().get()
    const rows = database.prepare('SELECT count(*) FROM company').pluck().get()
    database.close()
    opened += 1
    if (version !== last) process.stdout.write(version + ' ' + rows + '\\n')
    last = version
    if (stop) process.stdout.write('opened ' + opened + '\\n')
    else setImmediate(look)
  }
  look()`

describe('the pointer', () => {
  it('opens as the current snapshot in another program, before, during and after each publish', async () => {
    const current = await openStage()
    stage = current
    const first = await current.ingest(firstSample)
    const child = spawn(process.execPath, ['--input-type=module', '-e', otherProgram, current.pointer], {
      cwd: process.cwd(),
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    await once(child.stdout, 'data')
    const second = await current.ingest(secondSample)
    expect((await current.run('rollback', 'offeneregister')).status).toBe(0)
    child.stdin.end()
    const [status] = await once(child, 'close')
    const lines = Buffer.concat(chunks).toString().trim().split('\n')
    expect(status).toBe(0)
    expect(lines.slice(0, -1)).toEqual([`${first.version} 67`, `${second.version} 69`, `${first.version} 67`])
    expect(lines.at(-1)).toMatch(/^opened \d{2,}$/)
  })

  it('never replaces a person’s own file, and says how to move it aside', async () => {
    const current = await openStage()
    stage = current
    mkdirSync(dirname(current.pointer), { recursive: true })
    writeFileSync(current.pointer, 'my own database')
    const refused = await current.ingest(firstSample)
    expect(refused).toMatchObject({ status: 3, outcome: 'failed', reason: { code: 'POINTER_OCCUPIED' } })
    expect(refused.reason?.message).toContain('--adopt')
    expect(readFileSync(current.pointer, 'utf8')).toBe('my own database')
    expect(readdirSync(dirname(current.pointer))).not.toContain('downloads')

    expect(await current.ingest(firstSample, '--adopt')).toMatchObject({ status: 0, outcome: 'published' })
    const aside = readdirSync(dirname(current.pointer)).filter((name) => name.includes('adopted'))
    expect(aside.map((name) => readFileSync(join(dirname(current.pointer), name), 'utf8'))).toEqual(['my own database'])
  })

  it('never replaces a person’s own link or alias either', async () => {
    const current = await openStage()
    stage = current
    const folder = dirname(current.pointer)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'elsewhere'), 'mine')
    symlinkSync('elsewhere', join(folder, 'offeneregister-companies.db'))
    expect(await current.ingest(firstSample)).toMatchObject({ status: 3, reason: { code: 'POINTER_OCCUPIED' } })
    expect(readFileSync(join(folder, 'offeneregister-companies.db'), 'utf8')).toBe('mine')
  })
})
