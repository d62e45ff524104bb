import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type Archive, type ArchiveOptions, openArchive } from '../../src/formats/zip.ts'
import { textOf } from './streams.ts'
import { temporaryFiles } from './temporary-folder.ts'
import { type Member, zipOf } from './zip-builder.ts'

const file = temporaryFiles()

/** Gives an archive of these members or bytes to `use`, and closes it. */
const using = async <Result>(
  content: readonly Member[] | Buffer,
  use: (archive: Archive) => Promise<Result> | Result,
  options: Partial<ArchiveOptions> = {},
): Promise<Result> => {
  const path = await file('a.zip', Buffer.isBuffer(content) ? content : zipOf(...content))
  const archive = await openArchive(path, { source: 'a.zip', ...options })
  try {
    return await use(archive)
  } finally {
    await archive.close()
  }
}

const textsOf = async (archive: Archive): Promise<Record<string, string>> => {
  const texts: Record<string, string> = {}
  for (const member of archive.members) texts[member.name] = await textOf(member.open())
  return texts
}

const namesOf = (archive: Archive): string[] => archive.members.map((member) => member.name)

const long = 'Grün,1\n'.repeat(100_000)

describe('an archive', () => {
  it.each([
    ['deflated', {}],
    ['stored', { stored: true }],
    ['with sizes after the bytes', { dataDescriptor: true }],
    ['of zip64', { zip64: true }],
    ['of zip64, stored', { zip64: true, stored: true }],
  ])('gives the bytes of members that are %s', async (_kind, more) => {
    const members = [
      { name: 'a.txt', content: long, ...more },
      { name: 'b.txt', content: 'b', ...more },
    ]
    expect(await using(members, textsOf)).toEqual({ 'a.txt': long, 'b.txt': 'b' })
  })

  it('tells the sizes of members, as they are declared', async () => {
    expect(await using([{ name: 'a.txt', content: 'abc' }], ({ members }) => members.map(({ size }) => size))).toEqual([
      3,
    ])
  })

  it('is used from the folder that holds everything, without what a Mac adds', async () => {
    const members = ['feed/', 'feed/a.txt', 'feed/b/c.txt', '__MACOSX/feed/._a.txt', 'feed/.DS_Store', 'desktop.ini']
    const archive = await using(
      members.map((name) => ({ name, content: 'x' })),
      ({ members }) => members.map(({ name, path }) => [name, path]),
    )
    expect(archive).toEqual([
      ['a.txt', 'feed/a.txt'],
      ['b/c.txt', 'feed/b/c.txt'],
    ])
  })

  it('gives the members that are asked for', async () => {
    const members = ['data/a.csv', 'data/LICENCE.txt', 'meta/b.xml'].map((name) => ({ name, content: 'x' }))
    expect(await using(members, namesOf, { member: '*.csv' })).toEqual(['a.csv'])
    expect(await using(members, namesOf, { folder: 'data' })).toEqual(['a.csv', 'LICENCE.txt'])
    await expect(using(members, namesOf)).rejects.toThrow('could be meant: data/, meta/')
    await expect(using(members, namesOf, { member: '*.json' })).rejects.toMatchObject({
      code: 'NOT_WHAT_IT_SAYS',
      message: 'a.zip: no member of the archive is *.json (it has: data/a.csv, data/LICENCE.txt, meta/b.xml)',
    })
  })

  it.each([
    ['in code page 437', Buffer.from('816d6c8481742e747874', 'hex'), 0, 'ümläüt.txt'],
    ['in UTF-8', 'ümläüt.txt', 0x800, 'ümläüt.txt'],
    ['in UTF-8 that is not said to be', Buffer.from('ümläüt.txt'), 0, 'ümläüt.txt'],
  ])('understands names %s', async (_encoding, name, flags, expected) => {
    expect(await using([{ name, flags, content: 'x' }], namesOf)).toEqual([expected])
  })

  it('passes over members whose path leaves it, and says so', async () => {
    const names = ['../a.txt', 'sub/../../b.txt', '..\\c.txt', '/etc/d.txt', 'C:\\e.txt']
    const warnings: string[] = []
    const onWarning = (warning: string): void => void warnings.push(warning)
    const members = [...names, 'good.txt'].map((name) => ({ name, content: 'x' }))
    expect(await using(members, namesOf, { onWarning })).toEqual(['good.txt'])
    expect(warnings).toEqual([
      'members whose path leaves the archive were ignored: ../a.txt, sub/../../b.txt, ../c.txt, /etc/d.txt, C:/e.txt',
    ])
  })
})

describe('an archive that is refused', () => {
  it.each([
    ['has no member', zipOf(), 'NOT_WHAT_IT_SAYS', 'the archive has no usable member'],
    [
      'has only junk',
      zipOf({ name: 'x/' }, { name: '.DS_Store' }),
      'NOT_WHAT_IT_SAYS',
      'the archive has no usable member',
    ],
    ['is empty', Buffer.alloc(0), 'NOT_WHAT_IT_SAYS', 'empty file'],
    ['is something else', Buffer.from('invalid data'), 'NOT_WHAT_IT_SAYS', 'is not a zip archive'],
    ['is a page', Buffer.from('<!DOCTYPE html><html>'), 'NOT_WHAT_IT_SAYS', 'HTML received instead of a zip archive'],
    ['is cut', zipOf({ name: 'a', content: long }).subarray(0, 100), 'DATA_CORRUPT', 'truncated zip archive: its end'],
    ['has a name twice', zipOf({ name: 'a' }, { name: 'a' }), 'NOT_WHAT_IT_SAYS', 'a is in the archive twice'],
    ['is encrypted', zipOf({ name: 'a', flags: 1 }), 'NOT_WHAT_IT_SAYS', '#a: is encrypted'],
    ['is packed otherwise', zipOf({ name: 'a', method: 14 }), 'NOT_WHAT_IT_SAYS', '#a: is packed by method 14'],
  ])('%s', async (_what, bytes, code, message) => {
    await expect(using(bytes, namesOf)).rejects.toMatchObject({ code, message: expect.stringContaining(message) })
  })

  it('has a directory that does not fit it', async () => {
    const bytes = zipOf({ name: 'a', content: 'abc' })
    bytes.writeUInt8(0xff, bytes.indexOf('PK\x01\x02'))
    await expect(using(bytes, namesOf)).rejects.toMatchObject({
      code: 'DATA_CORRUPT',
      message: expect.stringContaining('a.zip: damaged zip archive'),
    })
  })

  it('is not there', async () => {
    await expect(openArchive('/nowhere/a.zip', { source: 'a.zip' })).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' })
  })
})

describe('a member', () => {
  it.each([
    ['is longer than declared', { declaredSize: 1000 }, 'it declares 1000 bytes, but has at least'],
    ['is shorter than declared', { declaredSize: 900_000 }, 'it declares 900000 bytes, but has 800000'],
    ['has another checksum', { checksum: 1 }, 'its checksum does not fit'],
  ])('that %s is refused', async (_what, more, message) => {
    await expect(using([{ name: 'a', content: long, ...more }], textsOf)).rejects.toMatchObject({
      code: 'DATA_CORRUPT',
      message: expect.stringContaining(`a.zip#a: damaged zip archive: ${message}`),
    })
  })

  it('that is longer than declared gives no byte more than that', async () => {
    const given = using([{ name: 'a', content: long, declaredSize: 1000 }], async ({ members: [member] }) => {
      let bytes = 0
      try {
        for await (const chunk of member?.open() ?? []) bytes += chunk.length
      } catch {
        return bytes
      }
      return 'not refused'
    })
    expect(await given).toBe(0)
  })

  it('that is damaged inside is refused', async () => {
    const bytes = zipOf({ name: 'a', content: 'abc'.repeat(1000) })
    bytes.fill(0xff, 34, 40)
    await expect(using(bytes, textsOf)).rejects.toMatchObject({ code: 'DATA_CORRUPT' })
  })

  it.each([
    ['HTML', '<html>', 'HTML received instead of data'],
    ['nothing', '', 'nothing in it'],
    ['compressed again', gzipSync('a'), 'is a gzip file, which is not read as records'],
  ])('that is %s is refused', async (_what, content, message) => {
    await expect(using([{ name: 'a', content }], textsOf)).rejects.toMatchObject({
      code: 'NOT_WHAT_IT_SAYS',
      message: `a.zip#a: ${message}`,
    })
  })

  it('is no longer read when cancelled', async () => {
    const controller = new AbortController()
    const read = using(
      [{ name: 'a', content: long }],
      async ({ members: [member] }) => {
        for await (const _chunk of member?.open() ?? []) controller.abort()
      },
      { signal: controller.signal },
    )
    await expect(read).rejects.toMatchObject({ code: 'CANCELLED' })
  })

  it('can be left before its end', async () => {
    const first = using([{ name: 'a', content: long }], async ({ members: [member] }) => {
      for await (const chunk of member?.open() ?? []) return chunk.length
      return 0
    })
    expect(await first).toBeGreaterThan(0)
  })
})

describe('a bomb', () => {
  const zeros = [{ name: 'zeros', content: Buffer.alloc(3_000_000, 'a\n') }]

  it('is refused before any of it is unpacked, with the limit', async () => {
    const limits = { maxRatio: 200, ratioFrom: 1_000_000 }
    await expect(using(zeros, namesOf, { limits })).rejects.toMatchObject({
      code: 'NOT_WHAT_IT_SAYS',
      message: expect.stringMatching(
        /^a\.zip#zeros: is \d+ bytes that unpack to 3000000, more than the limit of 200:1 from 1000000 bytes on allows$/,
      ),
    })
  })

  it('is none where it is small', async () => {
    expect(await using(zeros, namesOf)).toEqual(['zeros'])
  })

  it('that lies about its size is refused all the same', async () => {
    const lying = [{ ...zeros[0], name: 'zeros', declaredSize: 1000 }]
    await expect(using(lying, textsOf)).rejects.toMatchObject({ code: 'DATA_CORRUPT' })
  })
})

describe('an archive in an archive', () => {
  const inner = zipOf({ name: 'a.txt', content: long }, { name: 'b.txt', content: 'b' })
  const outer = [{ name: 'x/feed.zip', content: inner, stored: true }, { name: '.DS_Store' }]

  it('is followed, and what was unpacked is removed', async () => {
    const workFile = join(await file('marker', ''), '..', 'inner.zip')
    const texts = await using(
      outer,
      async (archive) => {
        expect(existsSync(workFile)).toBe(true)
        return textsOf(archive)
      },
      { workFile },
    )
    expect(texts).toEqual({ 'a.txt': long, 'b.txt': 'b' })
    expect(existsSync(workFile)).toBe(false)
  })

  it('is searched for the wanted member', async () => {
    const workFile = join(await file('marker', ''), '..', 'inner.zip')
    expect(await using(outer, namesOf, { workFile, member: 'b*' })).toEqual(['b.txt'])
  })

  it.each<[string, readonly Member[], { readonly workFile?: string }, string]>([
    ['without a work file', outer, {}, 'a.zip: holds an archive in the archive, x/feed.zip'],
    [
      'one level further down',
      [{ name: 'y.zip', content: zipOf(...outer) }],
      { workFile: 'inner.zip' },
      'a.zip#y.zip: holds an archive in the archive, x/feed.zip',
    ],
    ['that is damaged', [{ name: 'y.zip', content: inner.subarray(0, 50) }], { workFile: 'inner.zip' }, 'truncated'],
  ])('is not followed %s, and nothing is left', async (_what, members, { workFile: name }, message) => {
    const workFile = name === undefined ? undefined : join(await file('marker', ''), '..', name)
    await expect(using(members, namesOf, { workFile })).rejects.toThrow(message)
    expect(workFile !== undefined && existsSync(workFile)).toBe(false)
  })
})
