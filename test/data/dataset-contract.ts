/** What every dataset has to show: a pipeline, a schema, a sample of two versions and a page that fit each other. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { packageRoot } from '../../src/package-root.ts'
import { loadPipeline } from '../../src/pipeline/discover.ts'
import { type DatasetStage, openDatasetStage, type RowChange, sampleFolderOf } from './dataset-stage.ts'

type Parameters = Readonly<Record<string, string | number>>

export interface DatasetFacts {
  readonly id: string
  /** Dates of the two versions of the sample. */
  readonly versions: readonly [string, string]
  /** Table that the README's lists of changes are about; their first column is its key. */
  readonly table: string
  readonly rows: readonly [Readonly<Record<string, number>>, Readonly<Record<string, number>>]
  /** For each query a call that finds something in the second version. */
  readonly queries: Readonly<Record<string, Parameters>>
  /** Key of a record of the second version that has something of everything that belongs to it. */
  readonly whole: string
  readonly sanctions?: boolean
}

const querySchema = z.strictObject({
  sql: z.string(),
  description: z.string().min(40),
  parameters: z.record(
    z.string().regex(/^[a-z][a-zA-Z0-9]*$/),
    z.strictObject({
      type: z.enum(['string', 'number', 'boolean']),
      required: z.boolean(),
      default: z.union([z.string(), z.number(), z.boolean()]).optional(),
      // What other programs pass over: docs/flowmcp.md says what they do here.
      format: z.enum(['date', 'time']).optional(),
      column: z
        .string()
        .regex(/^\w+\.\w+$/)
        .optional(),
      description: z.string().min(10),
    }),
  ),
  output: z.strictObject({ columns: z.array(z.string()).min(1) }),
})

/** The documentation's form of a resource schema (dialect D-docs). */
const documentedForm = z.strictObject({
  namespace: z.string(),
  name: z.string(),
  description: z.string(),
  version: z.literal('3.0.0'),
  docs: z.array(z.url()),
  tags: z.array(z.string()),
  root: z.literal(''),
  tools: z.strictObject({}),
  resources: z.record(
    z.string(),
    z.strictObject({
      source: z.literal('sqlite'),
      database: z.string(),
      origin: z.literal('global'),
      description: z.string(),
      queries: z.record(z.string().regex(/^[a-z][a-zA-Z0-9]*$/), querySchema),
    }),
  ),
})

/** Views that every sanctions list has, with their columns. */
const sanctionsViews: Readonly<Record<string, readonly string[]>> = {
  entity: ['entity_id', 'type', 'name', 'listed_on', 'amended_on', 'remarks', 'record_table'],
  entity_name: ['entity_id', 'name', 'kind', 'strength', 'note', 'name_id'],
  entity_address: ['entity_id', 'address', 'city', 'region', 'postcode', 'country', 'note'],
  entity_birth: ['entity_id', 'date', 'date_to', 'circa', 'place', 'country', 'note'],
  entity_identifier: ['entity_id', 'type', 'number', 'country', 'note'],
  entity_program: ['entity_id', 'program', 'authority', 'imposed_on'],
}

/** Codes in the first cells of the table below a heading line of a README. */
const codesBelow = (readme: string, heading: string): string[] => {
  const block = readme.split(`\n${heading}\n\n`)[1]?.split('\n\n')[0] ?? ''
  return [...block.matchAll(/^\| `([^`]+)`/gm)].map(([, code = '']) => code).sort()
}

/** Keys of the records that are there in one version only, and of those that any part of changed. */
const recordChanges = (changes: readonly RowChange[], table: string): Record<RowChange['op'], string[]> => {
  const own = (op: RowChange['op']): string[] =>
    changes.filter((change) => change.table === table && change.op === op).map(({ key }) => String(key[0]))
  const added = own('added')
  const removed = own('removed')
  const touched = [...new Set(changes.map(({ key }) => String(key[0])))]
  const changed = touched.filter((key) => !added.includes(key) && !removed.includes(key))
  return { added: added.sort(), removed: removed.sort(), changed: changed.sort() }
}

/** The contract, for one dataset. `more` gets the stage, on which the second version is current. */
export const describeDataset = async (facts: DatasetFacts, more: (stage: DatasetStage) => void): Promise<void> => {
  const { id, versions, table } = facts
  const { definition } = await loadPipeline(id)
  const loaded: { readonly main?: unknown } = await import(
    pathToFileURL(join(packageRoot, 'schemas', `${id}.mjs`)).href
  )
  const schema = documentedForm.parse(loaded.main)
  const [resource] = Object.values(schema.resources)
  if (resource === undefined) throw new Error(`${id} has no resource`)
  const { queries, database } = resource
  const readme = readFileSync(join(sampleFolderOf(id), 'README.md'), 'utf8')
  const stage = await openDatasetStage(id)

  describe(`${id}`, () => {
    beforeAll(async () => {
      const [first, second] = versions
      const before = await stage.ingest(sampleFolderOf(id, first))
      expect(before).toMatchObject({ outcome: 'published', rejected: 0, rows: facts.rows[0] })
      const after = await stage.ingest(sampleFolderOf(id, second))
      expect(after).toMatchObject({ outcome: 'published', rejected: 0, rows: facts.rows[1] })
    })
    afterAll(() => stage.close())

    it('has exactly the changes that its README lists', async () => {
      expect(recordChanges(await stage.diff(), table)).toEqual({
        added: codesBelow(readme, 'Added:'),
        removed: codesBelow(readme, 'Removed:'),
        changed: codesBelow(readme, 'Changed:'),
      })
    })

    it('is a list of every kind of change', () => {
      for (const heading of ['Added:', 'Removed:', 'Changed:']) expect(codesBelow(readme, heading)).not.toEqual([])
    })

    it('has no field that the pipeline does not know', () => {
      expect(stage.unknownFields()).toEqual([])
    })

    it('gives a record whole, and says that it is invented', async () => {
      const uri = `${id}://${table}/${facts.whole}`
      const read = z
        .looseObject({
          record: z.record(z.string(), z.unknown()),
          related: z.record(z.string(), z.array(z.unknown())).optional(),
          sample: z.string(),
        })
        .parse(await stage.json('read', uri))
      const parts = (definition.tables[table]?.related ?? []).map(({ name }) => name)
      expect(Object.keys(read.related ?? {})).toEqual(parts)
      expect(Object.entries(read.related ?? {}).filter(([, rows]) => rows.length === 0)).toEqual([])
    })

    it.skipIf(facts.sanctions !== true)('has the views that every sanctions list has', () => {
      const opened = stage.open()
      const columns = Object.keys(sanctionsViews).map((view) => [
        view,
        opened
          .prepare(`SELECT * FROM ${view}`)
          .columns()
          .map(({ name }) => name),
      ])
      const empty = Object.keys(sanctionsViews).filter(
        (view) => opened.prepare(`SELECT count(*) FROM ${view}`).pluck().get() === 0,
      )
      opened.close()
      expect(Object.fromEntries(columns)).toEqual(sanctionsViews)
      expect(empty).toEqual([])
    })

    it.skipIf(facts.sanctions !== true)('finds every entity of the views by the full text over names alone', () => {
      const names = stage.column(`SELECT count(*) FROM entity_name WHERE name_id IN (SELECT rowid FROM name_fts)`)
      expect(names).toEqual(stage.column('SELECT count(*) FROM entity_name'))
      expect(
        stage.column('SELECT entity_id FROM entity WHERE entity_id NOT IN (SELECT entity_id FROM entity_name)'),
      ).toEqual([])
      expect(stage.column('SELECT DISTINCT type FROM entity ORDER BY 1')).toEqual(
        stage.column(
          `SELECT DISTINCT type FROM entity WHERE type IN ('person', 'organisation', 'vessel', 'aircraft', 'other') ORDER BY 1`,
        ),
      )
      expect(stage.column(`SELECT DISTINCT strength FROM entity_name ORDER BY 1`)).toEqual(['strong', 'weak'])
      expect(definition.fullText).toEqual(
        expect.arrayContaining([expect.objectContaining({ name: 'name_fts', table: 'name', columns: ['name'] })]),
      )
    })

    more(stage)

    describe('the schema', () => {
      it('is about the pipeline’s database, and has at most seven queries, getSchema among them', () => {
        expect(schema.namespace).toBe(id)
        expect([definition.database, ...(definition.aliases ?? [])]).toContain(database)
        expect(Object.keys(queries).length).toBeLessThanOrEqual(7)
        expect(Object.keys(queries).sort()).toEqual([...Object.keys(facts.queries), 'getSchema'].sort())
      })

      it.each(Object.entries(queries))(
        '%s only reads, and has a placeholder for each parameter',
        (_, { sql, parameters }) => {
          expect(sql).toMatch(/^(SELECT|WITH)\b/)
          expect([...sql.matchAll(/\?/g)]).toHaveLength(Object.keys(parameters).length)
          const blocked =
            /ATTACH DATABASE|LOAD_EXTENSION|PRAGMA|CREATE|ALTER|DROP|INSERT|UPDATE|DELETE|REPLACE|TRUNCATE/i
          expect(sql).not.toMatch(blocked)
        },
      )

      it.each(Object.entries(queries))(
        '%s finds something in the sample, with the columns that it says',
        (name, query) => {
          const opened = stage.open()
          const statement = opened.prepare(query.sql)
          const given = statement.columns().map((column) => column.name)
          const values = facts.queries[name] ?? {}
          const bound = Object.entries(query.parameters).map(([key, parameter]) => values[key] ?? parameter.default)
          const found = statement.all(bound)
          opened.close()
          expect(Object.keys(values).filter((key) => !(key in query.parameters))).toEqual([])
          expect(found).not.toEqual([])
          if (/^SELECT \* /.test(query.sql)) expect(given).toEqual(expect.arrayContaining(query.output.columns))
          else expect(given).toEqual(query.output.columns)
        },
      )

      it('is answered by the command line as by a host', async () => {
        const [name, values] = Object.entries(facts.queries)[0] ?? ['getSchema', {}]
        const pairs = Object.entries(values).map(([key, value]) => `${key}=${value}`)
        const answer = z
          .looseObject({ rows: z.array(z.unknown()) })
          .parse(await stage.json('query', id, name, ...pairs))
        expect(answer.rows).not.toEqual([])
      })

      it('passes our own validation', async () => {
        const findings = z
          .array(z.looseObject({ severity: z.string(), message: z.string() }))
          .parse(await stage.json('validate', join(packageRoot, 'schemas', `${id}.mjs`)))
        expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
      })
    })

    describe('the page', () => {
      const page = join(packageRoot, 'docs', 'datasets', `${id}.md`)
      it('is there, and names every table, query, database and source', () => {
        expect(existsSync(page)).toBe(true)
        const text = readFileSync(page, 'utf8')
        const wanted = [
          ...Object.keys(definition.tables),
          ...Object.keys(queries),
          definition.database,
          ...(definition.aliases ?? []),
          ...definition.sources.map(({ url }) => url),
        ]
        expect(wanted.filter((each) => !text.includes(each))).toEqual([])
      })
    })
  })
}
