/**
 * What the conformance suite asks for by name, as far as a read-only gateway has such a thing, served by the gateway's
 * own code. Prints its URL and serves until it is killed.
 */
import type {
  Catalogue,
  CatalogueMove,
  CatalogueSource,
  Content,
  ObjectSchema,
  Reading,
  TemplateEntry,
  ToolAnswer,
  ToolEntry,
} from '../../src/catalogue/types.ts'
import { StichtagError } from '../../src/errors.ts'
import { serveHttp } from '../../src/gateway/http.ts'
import { log } from '../../src/log.ts'

/** One transparent pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

const contents: Readonly<Record<string, Content>> = {
  'test://static-text': {
    uri: 'test://static-text',
    mimeType: 'text/plain',
    text: 'This is the content of the static text resource.',
  },
  'test://static-binary': { uri: 'test://static-binary', mimeType: 'image/png', blob: png },
  'test://watched-resource': {
    uri: 'test://watched-resource',
    mimeType: 'text/plain',
    text: 'Watched resource content',
  },
}

const tool = (name: string, inputSchema: ObjectSchema = { type: 'object', properties: {} }): ToolEntry => ({
  name,
  title: name,
  description: 'A tool of the conformance suite.',
  inputSchema,
  outputSchema: { type: 'object' },
})

/** Keywords that a gateway must hand on as they are. */
const schema2020: ObjectSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: `then` is the keyword of JSON Schema.
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
}

const tools = [
  tool('test_simple_text'),
  tool('test_error_handling'),
  tool('test_embedded_resource'),
  tool('json_schema_2020_12_tool', schema2020),
]

const templated = (uri: string): Content | undefined => {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
  const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
  return id === undefined ? undefined : { uri, mimeType: 'application/json', text }
}

const answers: Readonly<Record<string, ToolAnswer>> = {
  test_simple_text: {
    ok: true,
    structured: { text: 'This is a simple text response for testing.' },
    links: [{ uri: 'test://static-text', name: 'static-text', mimeType: 'text/plain' }],
  },
  test_embedded_resource: {
    ok: true,
    structured: {},
    links: [],
    embedded: [
      { uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'This is an embedded resource content.' },
    ],
  },
  test_error_handling: {
    ok: false,
    code: 'QUERY_FAILED',
    message: 'This tool intentionally returns an error for testing',
  },
  test_trigger_tool_change: { ok: true, structured: {}, links: [] },
  test_trigger_prompt_change: { ok: true, structured: {}, links: [] },
}

/** A table of companies comes and goes, and the prompt for looking one up with it. */
let hasCompanies = false

const templates = (): readonly TemplateEntry[] =>
  ['test://template/{id}/data', ...(hasCompanies ? ['test://company/{id}'] : [])].map((uriTemplate) => ({
    uriTemplate,
    name: uriTemplate,
    title: 'Template',
    description: 'A test.',
    mimeType: 'application/json',
  }))

const listeners = new Set<(move: CatalogueMove) => void>()

const catalogue: Catalogue = {
  listTtlMs: 1000,
  versions: new Map([['test', '1']]),
  datasets: ['test'],
  only: () => catalogue,
  listResources: () =>
    Object.values(contents).map(({ uri, mimeType }) => ({
      uri,
      mimeType,
      name: uri,
      title: uri,
      description: 'A test.',
    })),
  listTemplates: templates,
  listTools: () => tools,
  read: async (uri: string): Promise<Reading> => {
    const content = contents[uri] ?? templated(uri)
    if (content === undefined) throw new StichtagError('NOT_FOUND', `There is no ${uri}.`)
    return { contents: [content], digest: 'constant', ttlMs: 1000 }
  },
  digests: async (uris) => uris.map((uri) => (contents[uri] === undefined ? null : 'constant')),
  canSubscribe: (uri) => uri.startsWith('test://'),
  datasetOf: () => 'test',
  hasTool: (name) => answers[name] !== undefined,
  call: async (name) => {
    if (name === 'test_trigger_tool_change') {
      for (const listener of listeners) listener({ datasets: [], toolsChanged: true, resourcesChanged: false })
    }
    if (name === 'test_trigger_prompt_change') {
      hasCompanies = !hasCompanies
      for (const listener of listeners) listener({ datasets: [], toolsChanged: false, resourcesChanged: true })
    }
    return answers[name] ?? { ok: false, code: 'NOT_FOUND', message: `There is no ${name}.` }
  },
  complete: async (_template, _argument, value) => ({ values: [`${value}paris`], total: 1, hasMore: false }),
}

const source: CatalogueSource = {
  current: catalogue,
  onMove: (listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  close: async () => undefined,
}

const gateway = await serveHttp(source, { host: '127.0.0.1', port: 0, log: log.child({}, { level: 'error' }) })
process.stdout.write(`${gateway.url}\n`)
