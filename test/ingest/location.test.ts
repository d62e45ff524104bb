import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { checkFrom, fileAt, isRemote, localPathOf, usualNames } from '../../src/ingest/location.ts'
import { scratchFolder, scratchStore, treeOf } from '../store/scratch-store.ts'
import { ok, serve } from './download-server.ts'
import { delivery, ingest, linesOf, manyPlaces } from './ingesting.ts'

const one = [{ name: 'places.jsonl.gz' }]
const two = [...one, { name: 'visits.jsonl' }]

const usage = (words: string) => expect.objectContaining({ code: 'USAGE', message: expect.stringContaining(words) })

const pipe = (path: string): string => {
  execFileSync('mkfifo', [path])
  return path
}

describe('a location', () => {
  it.each(['http://a.example/x', 'HTTP://a.example/x', 'Https://a.example/x'])('is on the web: %s', (location) => {
    expect(isRemote(location)).toBe(true)
    expect(localPathOf(location)).toBeUndefined()
  })

  it.each([
    ['/a/b.csv', '/a/b.csv'],
    ['file:///a/b%20c.csv', '/a/b c.csv'],
    ['FILE:///a/b.csv', '/a/b.csv'],
    ['/a/http://b', '/a/http:/b'],
  ])('is on this machine: %s', (location, path) => {
    expect(localPathOf(location)).toBe(path)
  })

  it.each(['ftp://a.example/x', 's3://bucket/x', 'SFTP://a.example/x', 'file://elsewhere/x', 'file:///a%2Fb'])(
    'is a usage error where nobody can fetch it: %s',
    (location) => {
      expect(() => localPathOf(location)).toThrow(expect.objectContaining({ code: 'USAGE' }))
    },
  )
})

describe('usual names of a file', () => {
  it('are its own, plain, and packed by gzip', () => {
    expect(usualNames('places.jsonl.bz2')).toEqual([
      'places.jsonl.bz2',
      'places.jsonl',
      'places.jsonl.gz',
      'places.jsonl.bz2.gz',
    ])
    expect(usualNames('places.jsonl')).toEqual(['places.jsonl', 'places.jsonl.gz'])
  })
})

describe('what --from names', () => {
  it('may be a file, a link to one, or a folder, whatever is in it', () => {
    const folder = scratchFolder()
    writeFileSync(join(folder, 'a'), 'x')
    symlinkSync('a', join(folder, 'link'))
    for (const from of [folder, join(folder, 'a'), join(folder, 'link'), 'https://a.example/x']) {
      expect(() => checkFrom(from, one)).not.toThrow()
    }
  })

  it.each([
    ['is nothing', ' ', '--from names nothing'],
    ['is not there', 'typo', 'typo does not exist'],
    ['is a link to nothing', 'link', 'link does not exist'],
    ['is below a file', 'file/below', 'file/below does not exist'],
    ['is a device', '/dev/zero', '/dev/zero is no regular file'],
    ['is a pipe', 'pipe', 'write what it gives to a file first'],
    ['is a folder with a pipe', '.', 'places.jsonl is no regular file'],
    ['has a scheme that nobody fetches', 'ftp://a.example/x', 'cannot fetch by ftp'],
  ])('is refused where it %s', (_, from, words) => {
    const folder = scratchFolder()
    writeFileSync(join(folder, 'file'), '')
    symlinkSync('gone', join(folder, 'link'))
    pipe(join(folder, 'pipe'))
    pipe(join(folder, 'places.jsonl'))
    const location = /^\W*(?:ftp:|\/| )/.test(from) ? from : join(folder, from)
    expect(() => checkFrom(location, one)).toThrow(usage(words))
  })

  it('is refused where it is a socket', async () => {
    const path = join(scratchFolder(), 's')
    const server = createServer().listen(path)
    await new Promise((resolve) => server.once('listening', resolve))
    onTestFinished(() => void server.close())
    expect(() => checkFrom(path, one)).toThrow(usage('is no regular file'))
  })

  it('is refused where one file is to be several sources', () => {
    expect(() => checkFrom(delivery('x'), two)).toThrow(usage('give a folder that holds them'))
  })

  it('leaves no trace where it was refused: no run, no state, no lock', async () => {
    const store = scratchStore()
    await ingest(store, delivery(manyPlaces(2)))
    const before = treeOf(store.root)
    for (const from of [join(scratchFolder(), 'typo'), pipe(join(scratchFolder(), 'p')), 'ftp://127.0.0.1/x']) {
      expect(await ingest(store, from)).toMatchObject({ outcome: 'failed', reason: { code: 'USAGE' } })
    }
    expect(treeOf(store.root)).toEqual(before)
  })

  it('is fetched by a scheme in any case', async () => {
    await using server = await serve(ok(linesOf(manyPlaces(2))))
    const result = await ingest(scratchStore(), server.url.replace('http:', 'HTTP:'))
    expect(result).toMatchObject({ outcome: 'published', rows: { place: 2 } })
  })
})

describe('a file in a folder', () => {
  it('is not waited for where it is a pipe', () => {
    const folder = scratchFolder()
    pipe(join(folder, 'places.jsonl.gz'))
    expect(() => fileAt(folder, 'places.jsonl.gz')).toThrow(expect.objectContaining({ code: 'FILE_NOT_FOUND' }))
  })

  it('is looked for past a folder that has its name', () => {
    const folder = scratchFolder()
    mkdirSync(join(folder, 'places.jsonl.gz'))
    writeFileSync(join(folder, 'places.jsonl'), '')
    expect(fileAt(folder, 'places.jsonl.gz')).toBe(join(folder, 'places.jsonl'))
  })
})
