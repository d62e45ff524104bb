/** Hand-made bad archives and compressed files, each with the outcome that its README asks for. */
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openArchive } from '../../src/formats/zip.ts'
import { textOf } from '../formats/streams.ts'
import { hasSharedData, sharedFile } from '../real/shared-data.ts'
import { csv, jsonl, readHostile } from './hostile.ts'

const archive = {}

describe.skipIf(!hasSharedData)('hostile archives', () => {
  it.each([
    ['truncated.zip', 'DATA_CORRUPT', 'truncated zip archive'],
    ['html-error.zip', 'NOT_WHAT_IT_SAYS', 'HTML received instead of a zip archive'],
    ['empty-archive.zip', 'NOT_WHAT_IT_SAYS', 'the archive has no usable member'],
  ])('%s is refused', async (name, code, message) => {
    await expect(readHostile(name, csv, { archive })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(`${name}: ${message}`),
    })
  })

  it('truncated.jsonl.bz2 is refused', async () => {
    await expect(readHostile('truncated.jsonl.bz2', jsonl)).rejects.toMatchObject({
      code: 'DATA_CORRUPT',
      message: 'truncated.jsonl.bz2: unexpected end of bzip2 stream',
    })
  })

  it('zip-slip.zip gives its good member, tells the others, and writes none of them', async () => {
    const folder = dirname(sharedFile('hostile', 'zip-slip.zip'))
    const places = (): string[] => [folder, dirname(folder), process.cwd()].flatMap((each) => readdirSync(each))
    const before = places()
    const { records, warnings } = await readHostile('zip-slip.zip', csv, { archive })
    expect(records).toHaveLength(100)
    expect(warnings).toEqual([expect.stringMatching(/^members whose path leaves the archive were ignored: .*, .*, /)])
    expect(places()).toEqual(before)
  })

  it('bomb-100to1.zip is read, and refused under a limit before any of it is unpacked', async () => {
    const { records, problems } = await readHostile('bomb-100to1.zip', csv, { archive })
    expect([records.length, problems.length]).toEqual([5000, 0])
    const path = sharedFile('hostile', 'bomb-100to1.zip')
    await expect(openArchive(path, { source: 'bomb', limits: { maxRatio: 50, ratioFrom: 0 } })).rejects.toMatchObject({
      code: 'NOT_WHAT_IT_SAYS',
      message: expect.stringContaining('more than the limit of 50:1'),
    })
  })

  it('bomb-declared-size-lies.zip is refused by its real bytes', async () => {
    await expect(readHostile('bomb-declared-size-lies.zip', csv, { archive })).rejects.toMatchObject({
      code: 'DATA_CORRUPT',
      message: expect.stringContaining('it declares 1000 bytes, but has at least'),
    })
  })

  it('zip64-stored.zip reads as control.csv does', async () => {
    expect(await readHostile('zip64-stored.zip', csv, { archive })).toEqual(await readHostile('control.csv', csv))
  })
})

describe.skipIf(!hasSharedData)('odd archives', () => {
  const namesIn = async (folder: string, name: string, options: object = {}): Promise<string[]> => {
    const opened = await openArchive(sharedFile(folder, name), { source: name, ...options })
    try {
      return opened.members.map((member) => member.name)
    } finally {
      await opened.close()
    }
  }

  it.each([['otp-umlaut-cp437.zip'], ['otp-umlaut-utf8.zip']])('%s holds ümläüt.txt', async (name) => {
    expect(await namesIn('zip-quirks', name)).toEqual(['ümläüt.txt'])
  })

  it('tl-example-nested-dir.zip is used from its folder', async () => {
    const plain = await namesIn('gtfs-quirks', 'tl-example.zip')
    const nested = await namesIn('gtfs-quirks', 'tl-example-nested-dir.zip')
    expect(nested.toSorted()).toEqual([...plain, 'ignore/ok.txt'].toSorted())
  })

  it('tl-example-nested-zip.zip is followed', async () => {
    const path = sharedFile('gtfs-quirks', 'tl-example-nested-zip.zip')
    const workFile = join(tmpdir(), `stichtag-nested-${process.pid}.zip`)
    const inner = await openArchive(path, { source: 'nested', workFile })
    const plain = await openArchive(sharedFile('gtfs-quirks', 'tl-example.zip'), { source: 'plain' })
    try {
      expect(inner.members.map(({ name }) => name)).toEqual(plain.members.map(({ name }) => name))
      for (const [index, member] of inner.members.entries()) {
        expect(await textOf(member.open())).toBe(await textOf(plain.members[index]?.open() ?? member.open()))
      }
    } finally {
      await Promise.all([inner.close(), plain.close()])
    }
  })

  it.each([
    ['tl-example-nested-dir-ambiguous.zip', 'example-nested-dir/example-duplicate/, example-nested-dir/example/'],
    ['tl-example-nested-two-feeds.zip', 'example1/, example2/'],
    ['tl-invalid.zip', 'is not a zip archive'],
  ])('%s is refused', async (name, message) => {
    await expect(namesIn('gtfs-quirks', name)).rejects.toMatchObject({
      code: 'NOT_WHAT_IT_SAYS',
      message: expect.stringContaining(message),
    })
  })

  it('tl-example-nested-two-feeds.zip gives the feed that is chosen', async () => {
    const chosen = await namesIn('gtfs-quirks', 'tl-example-nested-two-feeds.zip', { folder: 'example1' })
    expect(chosen).toContain('stop_times.txt')
    expect(chosen).toHaveLength(15)
  })

  it('gvp-amtrak-2021.zip holds no twins of a Mac', async () => {
    expect(await namesIn('gtfs', 'gvp-amtrak-2021.zip')).toHaveLength(8)
  })
})
