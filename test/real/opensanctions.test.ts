/** The exports of the right shape, and a real file of targets, against the facts that their README lists. */
import { createReadStream, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { kit } from '../../src/pipeline/define.ts'
import { type DatasetStage, openDatasetStage } from '../data/dataset-stage.ts'
import { current, ingest } from '../ingest/ingesting.ts'
import { scratchStore } from '../store/scratch-store.ts'
import { hasSharedData, sharedFile } from './shared-data.ts'

describe.skipIf(!hasSharedData)('opensanctions, exports by their index', () => {
  const closing: (() => void)[] = []
  afterEach(() => {
    for (const close of closing.splice(0)) close()
  })

  /** A folder of an export as a publisher on the loopback interface; its addresses are made to lead there. */
  const published = async (folder: string): Promise<string> => {
    const server = createServer((request, response) => {
      const name = (request.url ?? '').split('/').at(-1) ?? ''
      const path = sharedFile('opensanctions', folder, name)
      const text = name === 'index.json' ? readFileSync(path, 'utf8').replaceAll('https://data.example.org', base) : ''
      response.writeHead(200, { 'content-length': text === '' ? statSync(path).size : Buffer.byteLength(text) })
      if (text === '') createReadStream(path).pipe(response)
      else response.end(text)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closing.push(() => {
      server.close()
      server.closeAllConnections()
    })
    // A server that listens on TCP has an address of this shape.
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return `${base}/datasets/latest/xx_invented/index.json`
  }
  const definitionOf = async (folder: string) =>
    kit.openSanctions({ id: 'invented', dataset: 'xx_invented', url: await published(folder) })

  it('the right one is published', async () => {
    const store = scratchStore()
    expect(await ingest(store, undefined, { definition: await definitionOf('export-ok') })).toMatchObject({
      outcome: 'published',
      rejected: 0,
      rows: { ftm_entity: 21, name: 44, address: 1, birth: 15 },
    })
    expect(current(store, 'invented')).toMatchObject({ publisherDate: '2026-11-30T01:02:03.000Z', warnings: [] })
  })

  it('the one whose index says otherwise is not, and the message names the file', async () => {
    const store = scratchStore()
    const result = await ingest(store, undefined, { definition: await definitionOf('export-mismatch') })
    expect(result.outcome).toBe('failed')
    expect(result.reason?.message).toContain('entities.ftm.json')
    expect(result.version).toBeNull()
  })
})

describe.skipIf(!hasSharedData)('opensanctions, exports in a folder with their index', () => {
  const definition = kit.openSanctions({ id: 'invented', dataset: 'any' })

  it('are checked by it as well', async () => {
    const store = scratchStore()
    expect(await ingest(store, sharedFile('opensanctions', 'export-ok'), { definition })).toMatchObject({
      outcome: 'published',
      rows: { ftm_entity: 21 },
    })
    const { version } = current(store, 'invented')
    const result = await ingest(store, sharedFile('opensanctions', 'export-mismatch'), { definition })
    expect(result).toMatchObject({ outcome: 'failed', reason: { code: 'NOT_WHAT_IT_SAYS' } })
    expect(result.reason?.message).toContain('entities.ftm.json: it has 7962 bytes and should have 10071')
    expect(current(store, 'invented').version).toBe(version)
  })
})

describe.skipIf(!hasSharedData)('opensanctions, files of targets', () => {
  let stage: DatasetStage
  beforeEach(async () => {
    stage = await openDatasetStage('opensanctions')
  })
  afterEach(() => stage.close())

  it('the invented one has the same twenty targets as the file of entities', async () => {
    expect(await stage.ingest(sharedFile('opensanctions', 'export-ok', 'targets.simple.csv'))).toMatchObject({
      outcome: 'published',
      rejected: 0,
      rows: { ftm_entity: 20, name: 44 },
    })
    expect(stage.column(`SELECT name FROM name WHERE name LIKE '%;%' ORDER BY 1`)).toHaveLength(4)
    expect(stage.column(`SELECT program FROM entity_program WHERE entity_id = 'xx-0001'`)).toEqual([
      'Invented programme',
    ])
    expect(stage.unknownFields()).toEqual([])
  })

  it('ransomwhere has the counts and spot values of the data’s README', async () => {
    expect(await stage.ingest(sharedFile('opensanctions', 'ransomwhere', 'targets.simple.csv.gz'))).toMatchObject({
      outcome: 'published',
      rejected: 0,
      rows: { ftm_entity: 11186, birth: 0, address: 0, sanction: 0 },
    })
    expect(stage.column('SELECT DISTINCT schema FROM ftm_entity')).toEqual(['CryptoWallet'])
    const different = 'SELECT count(DISTINCT id), count(DISTINCT caption), count(DISTINCT lower(caption))'
    expect(Object.values(z.looseObject({}).parse(stage.row(`${different} FROM ftm_entity`)))).toEqual([
      11186, 11186, 11186,
    ])
    expect(stage.column(`SELECT count(*) FROM name WHERE kind = 'primary'`)).toEqual([11186])
    expect(stage.column(`SELECT count(DISTINCT name) FROM name WHERE property = 'alias'`)).toEqual([136])
    expect(
      stage.row(`SELECT json_group_object(name, n) AS found FROM (SELECT name, count(*) AS n FROM name
        WHERE property = 'alias' GROUP BY 1 ORDER BY 2 DESC LIMIT 5)`),
    ).toEqual({
      found: JSON.stringify({ Locky: 7037, NotNevada: 2802, Unlabeled: 721, Conti: 103, 'Netwalker (Mailto)': 66 }),
    })
    const spot = `SELECT caption, (SELECT name FROM name WHERE entity_id = ftm_entity.id AND property = 'alias') AS alias
      FROM ftm_entity WHERE id = ?`
    expect(stage.row(spot, 'rwre-1123pjv8jzefqacv4w644pzqjzvway2zca')).toEqual({
      caption: '1123pJv8jzeFQaCV4w644pzQJzVWay2zcA',
      alias: 'Locky',
    })
    expect(stage.row(spot, 'rwre-bc1qzz7xweq8ee2j35tq6r5m687kctq9huskt50edv')).toMatchObject({ alias: 'Cuba' })
    expect(stage.column('SELECT count(DISTINCT first_seen) FROM ftm_entity')).toEqual([11])
    expect(stage.column(`SELECT value FROM meta WHERE key = 'publisherDate'`)).toEqual(['2025-09-08T02:03:08Z'])
  })
})
