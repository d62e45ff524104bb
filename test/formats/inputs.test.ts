import { writeFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { ArchiveDefinition } from '../../src/formats/archive-members.ts'
import { openInputs } from '../../src/formats/inputs.ts'
import { scratchFolder } from '../store/scratch-store.ts'
import { all } from './streams.ts'
import { type Member, zipOf } from './zip-builder.ts'

const csv = { type: 'csv' } as const
const every: ArchiveDefinition = { every: ['*.txt', 'zones.geojson'] }

/** What is read of a delivery: each input with its records, and what is passed over. */
const readAll = async (path: string, archive: ArchiveDefinition = every, workFile?: string) => {
  const opened = await openInputs(path, csv, { source: 'feed.zip', archive, workFile })
  try {
    const records: Record<string, unknown[]> = {}
    for (const input of opened.inputs) {
      records[input.name] = (await all(input.records({}))).flat().map((each) => ('record' in each ? each.record : each))
    }
    return { records, passedOver: opened.passedOver, members: opened.inputs.map(({ member }) => member) }
  } finally {
    await opened.close()
  }
}

const archived = (folder: string, ...members: readonly Member[]): string => {
  const path = join(folder, 'feed.zip')
  writeFileSync(path, zipOf(...members))
  return path
}

describe('the inputs of an archive of which every member is wanted', () => {
  const numbered = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ name: `x${index}.txt`, content: 'id\n1\n' }))

  it('are one where a file lies there plain and packed', async () => {
    const folder = scratchFolder()
    writeFileSync(join(folder, 'a.txt'), 'id\nplain\n')
    writeFileSync(join(folder, 'a.txt.gz'), gzipSync('id\npacked\n'))
    writeFileSync(join(folder, 'b.txt.gz'), gzipSync('id\n2\n'))
    expect(await readAll(folder)).toEqual({
      records: { 'feed.zip#a.txt': [{ id: 'plain' }], 'feed.zip#b.txt': [{ id: '2' }] },
      members: ['a.txt', 'b.txt'],
      passedOver: ['files that are not read: a.txt.gz'],
    })
  })

  it('are refused before any is read where they are too many, and what is not read does not count', async () => {
    const [few, many, folder] = [scratchFolder(), scratchFolder(), scratchFolder()]
    const more = [
      { name: 'empty.txt', content: '' },
      { name: 'about.pdf', content: '%PDF' },
    ]
    expect((await readAll(archived(few, ...numbered(500), ...more))).members).toHaveLength(500)
    for (const { name, content } of numbered(501)) writeFileSync(join(folder, name), content)
    for (const [path, count] of [
      [archived(many, ...numbered(20_000)), 20_000],
      [folder, 501],
    ] as const) {
      await expect(readAll(path)).rejects.toMatchObject({
        code: 'NOT_WHAT_IT_SAYS',
        message: `feed.zip: ${count} files of it would be read, and at most 500 can be`,
      })
    }
  })

  it('are its members, each under its own name, in the order of their names', async () => {
    const folder = scratchFolder()
    const path = archived(
      folder,
      { name: 'b.txt', content: 'id\n2\n' },
      { name: 'a.txt', content: 'id\n1\n' },
      { name: 'about.pdf', content: '%PDF' },
      { name: 'empty.txt', content: '' },
      { name: '__MACOSX/._a.txt', content: 'x' },
    )
    expect(await readAll(path)).toEqual({
      records: { 'feed.zip#a.txt': [{ id: '1' }], 'feed.zip#b.txt': [{ id: '2' }] },
      members: ['a.txt', 'b.txt'],
      passedOver: ['files that are not read: about.pdf', 'empty.txt is empty'],
    })
  })

  it('are read in a format of their own where one is declared', async () => {
    const folder = scratchFolder()
    const path = archived(
      folder,
      { name: 'a.txt', content: 'id\n1\n' },
      { name: 'zones.geojson', content: '{"features":[{"id":"z"}]}' },
    )
    const formats = { 'zones.geojson': { type: 'json', records: '$.features[*]' } } as const
    expect((await readAll(path, { ...every, formats })).records).toEqual({
      'feed.zip#a.txt': [{ id: '1' }],
      'feed.zip#zones.geojson': [{ id: 'z' }],
    })
  })

  it('lie in one folder; what lies below it is told', async () => {
    const folder = scratchFolder()
    const path = archived(
      folder,
      { name: 'x/y/a.txt', content: 'id\n1\n' },
      { name: 'x/y/more/b.txt', content: 'id\n2\n' },
    )
    expect(await readAll(path)).toMatchObject({
      members: ['a.txt'],
      passedOver: ['files that are not read: more/b.txt'],
    })
  })

  it('are found in an archive in the archive, each time it is opened', async () => {
    const folder = scratchFolder()
    const path = archived(folder, { name: 'in.zip', content: zipOf({ name: 'a.txt', content: 'id\n1\n' }) })
    for (const _ of [1, 2]) {
      const { records } = await readAll(path, every, join(folder, 'work.zip'))
      expect(records).toEqual({ 'feed.zip#a.txt': [{ id: '1' }] })
    }
  })

  it.each([
    ['two folders', ['x/a.txt', 'y/a.txt'], {}, /more than one folder of the archive could be meant: x\/, y\//],
    ['no such member', ['a.csv'], {}, /no member of the archive is \*.txt or zones.geojson/],
    ['another folder', ['x/a.txt'], { folder: 'z' }, /the archive has no folder z/],
  ])('are refused where there is %s', async (_, names, more, message) => {
    const folder = scratchFolder()
    const path = archived(folder, ...names.map((name) => ({ name, content: 'id\n1\n' })))
    await expect(readAll(path, { ...every, ...more })).rejects.toThrow(message)
  })

  it('are refused where the file is no archive', async () => {
    const folder = scratchFolder()
    const path = join(folder, 'feed.csv')
    await writeFile(path, 'id\n1\n')
    await expect(readAll(path)).rejects.toThrow(/feed.zip: is no zip archive/)
  })
})

describe('an input that is let go of after its first records', () => {
  it('leaves the archive to be read on, and to be closed', async () => {
    const lines = Array.from({ length: 60_000 }, (_, line) => `${line},${(line * 2_654_435_761) % 4_294_967_296}`)
    const members = ['a', 'b', 'c', 'd'].map((name) => ({
      name: `${name}.txt`,
      content: `id,x\n${lines.join('\n')}\n`,
    }))
    const path = archived(scratchFolder(), ...members)
    for (let round = 0; round < 20; round += 1) {
      const opened = await openInputs(path, csv, { source: 'feed.zip', archive: every })
      let seen = 0
      for (const input of opened.inputs) {
        for await (const batch of input.records({})) {
          seen += Math.min(batch.length, 1)
          break
        }
      }
      await opened.close()
      expect(seen).toBe(4)
    }
  })
})

describe('the inputs of a folder that holds an archive unpacked', () => {
  it('are its files, plain or packed one by one; folders in it are left alone', async () => {
    const folder = scratchFolder()
    await mkdir(join(folder, 'deeper'))
    await writeFile(join(folder, 'deeper', 'c.txt'), 'id\n3\n')
    await writeFile(join(folder, 'a.txt'), 'id\n1\n')
    await writeFile(join(folder, 'b.txt.gz'), gzipSync('id\n2\n'))
    await writeFile(join(folder, '.hidden.txt'), 'id\n4\n')
    await writeFile(join(folder, 'notes.md'), 'x')
    expect(await readAll(folder)).toEqual({
      records: { 'feed.zip#a.txt': [{ id: '1' }], 'feed.zip#b.txt': [{ id: '2' }] },
      members: ['a.txt', 'b.txt'],
      passedOver: ['files that are not read: notes.md'],
    })
  })

  it('are refused where it holds none', async () => {
    const folder = scratchFolder()
    await expect(readAll(folder)).rejects.toThrow(/holds no file like \*.txt or zones.geojson/)
  })
})
