import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { type Delivery, obtainDelivery } from '../../src/ingest/delivery.ts'
import type { PlannedFile } from '../../src/ingest/plan.ts'
import { scratchFolder } from '../store/scratch-store.ts'

const obtain = (...files: PlannedFile[]): Promise<Delivery> =>
  obtainDelivery(files, {
    folder: scratchFolder(),
    signal: new AbortController().signal,
    log: pino({ level: 'silent' }),
    onProgress: () => undefined,
  })

const planned = (location: string, name = 'places.jsonl.bz2'): PlannedFile => ({ name, url: 'file:x', location })

const folderWith = (...names: string[]): string => {
  const folder = scratchFolder()
  for (const name of names) writeFileSync(join(folder, name), name)
  return folder
}

const pathsOf = async (delivery: Promise<Delivery>): Promise<unknown> => {
  const obtained = await delivery
  return obtained.kind === 'files' ? obtained.files.map(({ path }) => path) : obtained.kind
}

describe('a delivery from this machine', () => {
  it('is a file where it lies, whatever its name; nothing is copied', async () => {
    const path = join(folderWith('anything.txt'), 'anything.txt')
    expect(await obtain(planned(path))).toMatchObject({
      kind: 'files',
      files: [{ name: 'places.jsonl.bz2', url: 'file:x', path, bytes: 12 }],
    })
    expect(await pathsOf(obtain(planned(pathToFileURL(path).href)))).toEqual([path])
  })

  it.each([
    [['places.jsonl', 'places.jsonl.bz2'], 'places.jsonl.bz2'],
    [['places.jsonl.gz', 'places.jsonl'], 'places.jsonl'],
    [['places.jsonl.gz', 'other'], 'places.jsonl.gz'],
  ])('is looked for in a folder by its usual names: of %j it is %s', async (names, expected) => {
    const folder = folderWith(...names)
    expect(await pathsOf(obtain(planned(folder)))).toEqual([join(folder, expected)])
  })

  it('that is not there is an error that lists what was looked for', async () => {
    const folder = folderWith('places.csv')
    await expect(obtain(planned(folder))).rejects.toThrow(
      expect.objectContaining({ code: 'FILE_NOT_FOUND', message: expect.stringContaining('places.jsonl.gz') }),
    )
    await expect(obtain(planned(join(folder, 'missing')))).rejects.toThrow(
      expect.objectContaining({ code: 'FILE_NOT_FOUND' }),
    )
  })

  it('names every file at once that a folder lacks, those left out that may be', async () => {
    const folder = folderWith('b.csv')
    const files = ['a.csv', 'b.csv', 'c.xml'].map((name) => planned(folder, name))
    const lacking = obtain(...files, { ...planned(folder, 'd.csv'), optional: true })
    await expect(lacking).rejects.toThrow(
      expect.objectContaining({
        code: 'FILE_NOT_FOUND',
        message: `${folder} lacks 2 files: a.csv or a.csv.gz; c.xml or c.xml.gz`,
        data: { lacking: ['a.csv', 'c.xml'] },
      }),
    )
  })

  it('of several sources is a folder that holds them all, never one file for all', async () => {
    const folder = folderWith('places.jsonl', 'visits.jsonl')
    const both = (location: string) => obtain(planned(location), planned(location, 'visits.jsonl'))
    expect(await pathsOf(both(folder))).toEqual([join(folder, 'places.jsonl'), join(folder, 'visits.jsonl')])
    await expect(both(join(folder, 'places.jsonl'))).rejects.toThrow(
      expect.objectContaining({ code: 'USAGE', message: expect.stringContaining('give a folder') }),
    )
  })

  it('is no folder that merely has the file’s name', async () => {
    const folder = scratchFolder()
    mkdirSync(join(folder, 'places.jsonl.bz2'))
    await expect(obtain(planned(folder))).rejects.toThrow(expect.objectContaining({ code: 'FILE_NOT_FOUND' }))
  })
})
