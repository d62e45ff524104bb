/**
 * `screen_name` on the real lists: every name finds its own entity first, words in another order and one typing error
 * within the first five. Names are taken evenly from each list; `node bench/screening.ts` takes all.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { commonNames } from '../../bench/common-names.ts'
import { type Asked, askedNames } from '../../bench/screened-names.ts'
import { openCatalogue } from '../../src/catalogue/source.ts'
import type { CatalogueSource } from '../../src/catalogue/types.ts'
import { runCommand } from '../../src/demo/processes.ts'
import { createInProcessPool, type InProcessPool } from '../catalogue/in-process-pool.ts'
import { hasSharedData, sharedFile } from './shared-data.ts'

/** Names of each list that are asked for, each in three ways. */
const namesPerList = 40

const answerSchema = z.looseObject({
  hits: z.array(z.looseObject({ uri: z.string(), score: z.number(), dataset: z.string() })),
  truncated: z.boolean(),
})

describe.skipIf(!hasSharedData)('screen_name, real lists', () => {
  const root = hasSharedData ? mkdtempSync(join(tmpdir(), 'stichtag-screening-')) : ''
  let source: CatalogueSource
  let pool: InProcessPool

  const hitsFor = async (name: string): Promise<z.infer<typeof answerSchema>['hits']> => {
    const answer = await source.current.call('screen_name', { name, limit: 50 })
    if (!answer.ok) throw new Error(`${name}: ${answer.message}`)
    return answerSchema.parse(answer.structured).hits
  }

  /** The place of an entity's record among the hits, from 1; hits of the same score share the best place. */
  const placeOf = async (name: string, dataset: string, entityId: string): Promise<number> => {
    const hits = await hitsFor(name)
    const own = hits.find((hit) => hit.dataset === dataset && hit.uri.endsWith(`/${entityId}`))
    return own === undefined ? Number.POSITIVE_INFINITY : 1 + hits.filter(({ score }) => score > own.score).length
  }

  const namesOf = async (dataset: string): Promise<readonly Asked[]> => {
    const read = await source.current.read(`${dataset}://dataset`)
    expect(read.contents).not.toEqual([])
    const path = pool.asked.find((each) => each.includes(`/${dataset}/`)) ?? ''
    const { rows } = await pool.rows({
      database: path,
      sql: 'SELECT entity_id, name FROM entity_name ORDER BY name_id',
      parameters: [],
      lane: 'query',
      maxRows: 100_000,
      maxBytes: 100_000_000,
    })
    return askedNames(rows, namesPerList)
  }

  beforeAll(async () => {
    const env = { ...process.env, STICHTAG_HOME: root, STICHTAG_LOG: 'error' }
    const ofac = join(root, 'ofac')
    mkdirSync(ofac)
    for (const folder of [sharedFile('ofac', 'set-with-alt'), sharedFile('ofac', 'consolidated')]) {
      for (const file of readdirSync(folder)) symlinkSync(join(folder, file), join(ofac, file))
    }
    const deliveries = {
      unsc: sharedFile('un', 'un_consolidated_2026-02-27.xml'),
      uksl: sharedFile('uk', 'ukls-2026-10-08-header-and-one-row.csv'),
      eufsf: sharedFile('eu', 'sample_eu.xml'),
      ofacsdn: ofac,
    }
    for (const [dataset, from] of Object.entries(deliveries)) {
      await runCommand(['ingest', dataset, '--from', from], env)
    }
    pool = createInProcessPool()
    source = await openCatalogue({
      stores: [{ root, origin: 'global' }],
      schemaFolders: [],
      pool,
      watch: false,
      log: pino({ level: 'silent' }),
    })
    expect(await hitsFor('Nobody Whatsoever')).toEqual([])
  })
  afterAll(async () => {
    await source?.close()
    await pool?.close()
    rmSync(root, { recursive: true, force: true })
  })

  it.each(['unsc', 'uksl', 'eufsf', 'ofacsdn'])('finds names of %s', async (dataset) => {
    const wrong: string[] = []
    const names = await namesOf(dataset)
    expect(names).not.toEqual([])
    for (const { entityId, name, reordered, mistyped } of names) {
      const key = String(entityId)
      if ((await placeOf(name, dataset, key)) !== 1) wrong.push(name)
      if ((await placeOf(reordered, dataset, key)) > 5) wrong.push(`${reordered} (order of ${name})`)
      if ((await placeOf(mistyped, dataset, key)) > 5) wrong.push(`${mistyped} (typing error in ${name})`)
    }
    expect(wrong).toEqual([])
  })

  it('finds little for common names from no list', async () => {
    const sampled = commonNames.flatMap((names) => names.filter((_, place) => place % 11 === 0))
    const found = await Promise.all(sampled.map(async (name) => (await hitsFor(name)).length > 0))
    const share = found.filter(Boolean).length / sampled.length
    expect(share).toBeGreaterThan(0)
    expect(share).toBeLessThan(0.15)
  })
})
