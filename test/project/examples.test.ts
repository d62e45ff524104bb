import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { spellKey } from '../../src/catalogue/key-spelling.ts'
import { parseUri } from '../../src/catalogue/uri.ts'
import { packageRoot } from '../../src/package-root.ts'
import { loadPipeline } from '../../src/pipeline/discover.ts'
import type { Row } from '../../src/pipeline/types.ts'
import { type DatasetStage, openDatasetStage, sampleFolderOf } from '../data/dataset-stage.ts'
import { sampleRecords } from '../data/sample-files.ts'
import { scratchDatabase } from '../data/scratch-database.ts'

const text = (name: string): string => readFileSync(join(packageRoot, name), 'utf8')

/** Code blocks of a language in a page. */
const blocksOf = (page: string, language: string): string[] =>
  [...text(page).matchAll(/^```(\w*)\n(.*?)^```$/gms)]
    .filter(([, of]) => of === language)
    .map(([, , block = '']) => block)

describe('the pipeline that docs/pipelines.md shows', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'stichtag-examples-'))
    mkdirSync(join(folder, 'wells'))
    writeFileSync(join(folder, 'wells', 'index.mjs'), blocksOf('docs/pipelines.md', 'js')[0] ?? '')
  })
  afterAll(() => {
    rmSync(folder, { recursive: true })
  })

  it('is a pipeline, and maps a record to rows of its tables', async () => {
    const { definition } = await loadPipeline('wells', [folder])
    const rows: [string, Row][] = []
    const unknown: string[] = []
    definition.map(
      { id: 'w1', street: 'Musterstraße', works: true, checks: [{ day: '2026-10-01', by: 'Muster' }], colour: 'red' },
      {
        source: 'wells',
        line: 1,
        state: {},
        runState: {},
        emit: (table, row) => {
          rows.push([table, row])
        },
        remark: () => undefined,
        unknown: (field) => {
          unknown.push(field)
        },
        publisherDate: () => undefined,
        reject: (reason) => {
          throw new Error(reason)
        },
      },
    )
    expect(rows).toEqual([
      ['well', { id: 'w1', street: 'Musterstraße', works: true }],
      ['check_up', { well_id: 'w1', ordinal: 1, day: '2026-10-01' }],
    ])
    expect(unknown).toEqual(['checks[].by', 'colour'])
  })
})

describe('the JSON that a page shows', () => {
  const blocks = ['README.md', 'docs/uris.md'].flatMap((page) =>
    blocksOf(page, 'json').map((block) => ({ page, block })),
  )

  it('is there', () => {
    expect(blocks).toHaveLength(3)
  })

  it.each(blocks)('is JSON ($page)', ({ block }) => {
    expect(() => JSON.parse(block)).not.toThrow()
  })
})

describe('the URIs that a page shows', () => {
  const uris = ['README.md', 'docs/uris.md', 'docs/datasets/offeneregister.md', 'data/offeneregister/README.md']
    .flatMap((page) => [...text(page).matchAll(/`(offeneregister:\/\/[^`\s]+)`/g)])
    .map(([, uri = '']) => uri.replaceAll(/\{[^}]+\}/g, 'x'))

  it.each([...new Set(uris)])('are understood: %s', (uri) => {
    expect(parseUri(uri)).toBeDefined()
  })

  it('would be caught if they were not', () => {
    expect(parseUri('offeneregister://company/~Z')).toBeUndefined()
  })
})

describe('what docs/uris.md shows of the sample', () => {
  let stage: DatasetStage
  beforeAll(async () => {
    stage = await openDatasetStage('offeneregister')
    expect(await stage.ingest(sampleFolderOf('offeneregister', '2026-11-01'))).toMatchObject({ outcome: 'published' })
  })
  afterAll(() => stage.close())

  it('is what reading gives', async () => {
    const [block = ''] = blocksOf('docs/uris.md', 'json')
    const { version, ...shown } = JSON.parse(block)
    expect(version).toMatch(/^\d{8}T\d{6}Z-[0-9a-f]{8}$/)
    expect(await stage.json('read', shown.uri)).toMatchObject(shown)
  })

  it('is there at each of its URIs', async () => {
    const concrete = [...text('docs/uris.md').matchAll(/`(offeneregister:\/\/[^`\s{]+\/[^`\s{]+)`/g)]
    expect(concrete.length).toBeGreaterThan(2)
    for (const [, uri = ''] of concrete) expect(await stage.json('read', uri)).toMatchObject({ uri })
  })
})

describe('the spellings of keys that docs/uris.md shows', () => {
  const table = text('docs/uris.md').split('| in a URI')[1]?.split('\n\n')[0] ?? ''
  const rows = [...table.matchAll(/^\| `([^`]+)`\s*\| `([^`]+)`\s*\|$/gm)].map(([, key = '', spelt = '']) => [
    key,
    spelt,
  ])

  it('are those that are used', () => {
    expect(rows.length).toBeGreaterThan(3)
    expect(rows.map(([key = '']) => [key, spellKey(key)])).toEqual(rows)
  })
})

describe('the SQL that a page shows', () => {
  it.each(blocksOf('docs/datasets/offeneregister.md', 'sql'))('finds something in the sample: %s', async (sql) => {
    const { database } = await scratchDatabase('offeneregister', await sampleRecords('2026-10-01'))
    const found = database.prepare(sql).all()
    database.close()
    expect(found).not.toEqual([])
  })
})
