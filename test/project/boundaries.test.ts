import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packageRoot } from '../../src/package-root.ts'
import { type SourceFile, violationsOf } from './boundaries.ts'

const filesBelow = (folder: string): SourceFile[] =>
  readdirSync(join(packageRoot, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:[cm]?[jt]s)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({
      path: relative(packageRoot, path).split(sep).join('/'),
      text: readFileSync(path, 'utf8'),
    }))

describe('the rooms', () => {
  const files = [...filesBelow('src'), ...filesBelow('pipelines')]

  it('are all looked at', () => {
    const rooms = new Set(files.map(({ path }) => path.split('/').slice(0, 2).join('/')))
    for (const room of ['src/catalogue', 'src/gateway', 'src/ingest', 'src/store', 'pipelines/offeneregister'])
      expect(rooms).toContain(room)
  })

  it('keep to their boundaries', () => {
    expect(files.flatMap(violationsOf)).toEqual([])
  })
})

describe('the check of boundaries', () => {
  it.each([
    ['src/catalogue/read.ts', "import { Server } from '@modelcontextprotocol/server'", 'protocol-free'],
    ['src/catalogue/read.ts', "import type { Tool } from '@modelcontextprotocol/client'", 'protocol-free'],
    ['src/catalogue/deep/read.ts', "export * from '@modelcontextprotocol/sdk/types.js'", 'protocol-free'],
    ['src/gateway/http.ts', "import Database from 'better-sqlite3'", 'reader processes'],
    ['src/gateway/http.ts', "const { default: Database } = await import('better-sqlite3')", 'reader processes'],
    ['src/cli/serve.ts', "import { serveStdio } from '@modelcontextprotocol/server/stdio'", 'the MCP server'],
    ['src/demo/host.ts', "import {\n  toNodeHandler,\n} from '@modelcontextprotocol/node'", 'the MCP server'],
    ['src/cli/read.ts', "import { Client } from '@modelcontextprotocol/client'", 'an MCP client'],
    ['src/gateway/http.ts', "import { Client } from '@modelcontextprotocol/sdk/client/index.js'", 'an MCP client'],
    ['pipelines/one/index.ts', "import { definePipeline } from '../../src/pipeline/define.ts'", 'nothing but types'],
    ['pipelines/one/index.ts', "import { type Kit, kit } from '../../src/pipeline/define.ts'", 'nothing but types'],
    ['pipelines/one/index.ts', "import { createHash } from 'node:crypto'", 'nothing but types'],
    ['pipelines/one/index.ts', "import { mapCompany } from '../another/map.ts'", 'nothing but types'],
    ['pipelines/one/index.ts', "import type from 'zod'", 'nothing but types'],
    ['src/ingest/run.ts', "import { openHttp } from '../gateway/http.ts'", 'a gateway exists'],
    ['src/store/watch.ts', "import type { Catalogue } from '../catalogue/types.ts'", 'a gateway exists'],
    ['src/formats/csv.ts', "import '../query/pool.ts'", 'a gateway exists'],
    ['src/pipeline/deep/define.ts', "import type { FlowSchema } from '../../schema/types.ts'", 'a gateway exists'],
    ['src/store/lock.ts', 'export default class Lock {}', 'exports are named'],
    ['src/store/lock.ts', 'const lock = 1\nexport { lock as default }', 'exports are named'],
    ['src/store/utils.ts', '', 'a name says'],
    ['src/helpers/lock.ts', '', 'a name says'],
    ['src/query/common/pool.ts', '', 'a name says'],
    ['src/query/misc.test.ts', '', 'a name says'],
  ])('refuses in %s: %s', (path, text, rule) => {
    expect(violationsOf({ path, text }).join('\n')).toContain(rule)
  })

  it.each([
    ['src/gateway/http.ts', "import { Server } from '@modelcontextprotocol/server'"],
    ['src/gateway/http.ts', "import type { Catalogue } from '../catalogue/types.ts'"],
    ['src/demo/host.ts', "import { Client } from '@modelcontextprotocol/sdk/client/index.js'"],
    ['src/cli/watch.ts', "import { Client } from '@modelcontextprotocol/client'"],
    ['src/query/reader.ts', "import Database from 'better-sqlite3'"],
    ['src/catalogue/read.ts', "// not from '@modelcontextprotocol/server'\nimport { x } from '../store/layout.ts'"],
    ['pipelines/one/index.ts', "import type { Kit } from '../../src/pipeline/types.ts'"],
    ['pipelines/one/index.ts', "import { mapCompany } from './map.ts'\nexport default (kit) => kit.definePipeline({})"],
    ['src/ingest/run.ts', "import { lockPath } from '../store/layout.ts'"],
    ['src/schema/read.ts', "import type { ReaderPool } from '../query/types.ts'"],
    ['src/formats/foreign.d.ts', "declare module 'foreign' {\n  export default foreign\n}"],
    ['src/store/commonly-held.ts', 'export const text = "export default"'],
  ])('lets pass in %s: %s', (path, text) => {
    expect(violationsOf({ path, text })).toEqual([])
  })
})
