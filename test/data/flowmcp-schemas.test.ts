/**
 * FlowMCP's own schemas, unmodified, over the snapshots of the bundled samples. They are public (github.com/FlowMCP/
 * flowmcp-schemas, `schemas/v3.0.0`) and no part of this project: the test looks for them in the folder that
 * FLOWMCP_SCHEMAS names, else beside the checkout in ../shared/flowmcp-schemas, and is skipped, saying so, without them.
 */
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openCatalogue } from '../../src/catalogue/source.ts'
import { queryToolName } from '../../src/catalogue/tools/names.ts'
import type { CatalogueSource } from '../../src/catalogue/types.ts'
import { packageRoot } from '../../src/package-root.ts'
import { mainOf } from '../../src/schema/parse.ts'
import { findSchemaFiles, readSchemaFile, readSchemaText } from '../../src/schema/read.ts'
import type { FlowSchema } from '../../src/schema/types.ts'
import { createInProcessPool } from '../catalogue/in-process-pool.ts'
import { openDatasetStage, sampleFolderOf } from './dataset-stage.ts'

/** Namespaces of FlowMCP's that a dataset of ours serves. */
const providers = ['ofacsdn', 'offeneregister', 'gtfsde'] as const

/** The later of a sample's two versions. */
const newestSample = (dataset: string): string =>
  sampleFolderOf(
    dataset,
    readdirSync(sampleFolderOf(dataset))
      .filter((name) => /^\d{4}-\d{2}-\d{2}$/.test(name))
      .sort()
      .at(-1),
  )

const folder = process.env.FLOWMCP_SCHEMAS ?? join(packageRoot, '..', 'shared', 'flowmcp-schemas')

const test = z.looseObject({ _description: z.string() })
const tested = z.looseObject({
  resources: z.record(
    z.string(),
    z.looseObject({ queries: z.record(z.string(), z.looseObject({ tests: z.array(test).optional() })) }),
  ),
})

/** The schemas of a namespace, each with its file's text as data. Files that are no schemas of resources are others'. */
const schemasOf = (namespace: string): readonly FlowSchema[] =>
  existsSync(folder)
    ? findSchemaFiles(folder)
        .filter((file) => new RegExp(`namespace:\\s*['"]${namespace}['"]`).test(readSchemaText(file)))
        .map(readSchemaFile)
        .filter(({ resources }) => resources.length > 0)
    : []

/** A schema's queries by the name their tool may have, with the arguments of each of their tests. */
const callsOf = ({ file, namespace, resources }: FlowSchema) => {
  const raw = tested.parse(mainOf(readSchemaText(file), file).main)
  return resources.flatMap((resource) =>
    resource.queries.flatMap(({ name }) => {
      const tests = raw.resources[resource.name]?.queries[name]?.tests ?? [{ _description: 'without arguments' }]
      return tests.map(({ _description, ...args }) => ({
        names: [`${name}_${resource.name}`, name].map((each) => queryToolName(each, namespace)),
        label: `${resource.name}.${name}: ${_description}`,
        args,
      }))
    }),
  )
}

describe.each(providers)('FlowMCP’s schemas of %s', (dataset) => {
  const schemas = schemasOf(dataset)
  const isThere = schemas.length > 0 && existsSync(sampleFolderOf(dataset))
  if (!isThere) process.stderr.write(`skipped, no FlowMCP schemas of ${dataset}: set FLOWMCP_SCHEMAS to their folder\n`)

  describe.skipIf(!isThere)('over the bundled sample', () => {
    const cleanups: (() => Promise<void> | void)[] = []
    let sources: readonly CatalogueSource[] = []
    beforeAll(async () => {
      const stage = await openDatasetStage(dataset)
      cleanups.push(() => stage.close())
      expect(await stage.ingest(newestSample(dataset))).toMatchObject({ outcome: 'published' })
      const folders = schemas.map(({ file }) => {
        const alone = mkdtempSync(join(tmpdir(), 'flowmcp-'))
        cleanups.push(() => rmSync(alone, { recursive: true, force: true }))
        copyFileSync(file, join(alone, basename(file)))
        return alone
      })
      sources = await Promise.all(
        folders.map((alone) =>
          openCatalogue({
            stores: [{ root: stage.root, origin: 'global' }],
            schemaFolders: [alone],
            pool: createInProcessPool(),
            watch: false,
            log: pino({ level: 'silent' }),
          }),
        ),
      )
      for (const source of sources) cleanups.push(() => source.close())
    })
    afterAll(async () => {
      for (const cleanup of cleanups.reverse()) await cleanup()
    })

    const calls = schemas.flatMap((schema, index) =>
      callsOf(schema).map((call) => ({ ...call, index, label: `${basename(schema.file)} ${call.label}` })),
    )
    it.each(calls)('$label', async ({ names, args, index }) => {
      const catalogue = sources[index]?.current
      const name = names.find((each) => catalogue?.hasTool(each) === true)
      const answer = await catalogue?.call(name ?? '', args)
      expect(answer).toMatchObject({ ok: true, structured: { sample: expect.any(String) } })
      const { rows } = z.looseObject({ rows: z.array(z.unknown()) }).parse(answer?.ok === true ? answer.structured : {})
      expect(rows).not.toEqual([])
    })
  })
})
