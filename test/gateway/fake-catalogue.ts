/** A catalogue of our own making, whose content a test changes at will. URIs are `shop://item/{key}`. */
import type {
  Catalogue,
  CatalogueMove,
  CatalogueSource,
  Completion,
  Reading,
  ResourceEntry,
  TemplateEntry,
  ToolAnswer,
  ToolEntry,
} from '../../src/catalogue/types.ts'
import { StichtagError } from '../../src/errors.ts'

export type Content = Readonly<Record<string, string>>

export interface Offer {
  readonly resources?: readonly ResourceEntry[]
  readonly templates?: readonly TemplateEntry[]
  readonly tools?: readonly ToolEntry[]
  readonly call?: (name: string, args: Readonly<Record<string, unknown>>, signal?: AbortSignal) => Promise<ToolAnswer>
  /** In place of reading the content. */
  readonly read?: (uri: string, signal?: AbortSignal) => Promise<Reading>
  readonly listTtlMs?: number
}

export const entry = (key: string): ResourceEntry => ({
  uri: `shop://item/${key}`,
  name: key,
  title: `Item ${key}`,
  description: 'An item.',
  mimeType: 'application/json',
})

export const itemTemplate: TemplateEntry = {
  uriTemplate: 'shop://item/{key}',
  name: 'item',
  title: 'Item',
  description: 'An item by its key.',
  mimeType: 'application/json',
}

export const tool = (name: string): ToolEntry => ({
  name,
  title: name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: { word: { type: 'string', description: 'A word.' } } },
  outputSchema: { type: 'object', properties: { echoed: { type: 'string' } } },
})

const echo = async (_name: string, args: Readonly<Record<string, unknown>>): Promise<ToolAnswer> => ({
  ok: true,
  structured: { echoed: String(args.word) },
  links: [{ uri: 'shop://item/1', name: '1', title: 'Item 1', mimeType: 'application/json' }],
})

class FakeCatalogue implements Catalogue {
  readonly listTtlMs: number
  readonly versions: ReadonlyMap<string, string>
  readonly content: Content
  readonly #offer: Offer
  readonly #source: FakeSource

  constructor(content: Content, offer: Offer, source: FakeSource, version: number) {
    this.content = content
    this.#offer = offer
    this.#source = source
    this.listTtlMs = offer.listTtlMs ?? 60_000
    this.versions = new Map([['shop', String(version)]])
  }

  listResources = () => this.#offer.resources ?? Object.keys(this.content).map(entry)
  listTemplates = () => this.#offer.templates ?? [itemTemplate]
  listTools = () => this.#offer.tools ?? [tool('echo')]

  async read(uri: string, signal?: AbortSignal): Promise<Reading> {
    if (this.#offer.read !== undefined) return this.#offer.read(uri, signal)
    const text = this.#text(uri)
    if (text === null) throw new StichtagError('NOT_FOUND', `There is no ${uri}.`, { data: { uri } })
    return { contents: [{ uri, mimeType: 'application/json', text }], digest: text, ttlMs: 5000 }
  }

  async digests(uris: readonly string[], signal?: AbortSignal): Promise<readonly (string | null)[]> {
    this.#source.digestCalls.push([...uris])
    await this.#source.beforeDigests(signal)
    return uris.map((uri) => this.#text(uri))
  }

  datasets = ['shop']
  only = (wanted: ReadonlySet<string>): FakeCatalogue =>
    wanted.has('shop') ? this : new FakeCatalogue({}, { templates: [], tools: [] }, this.#source, 0)
  canSubscribe = (uri: string) => uri.toLowerCase().startsWith('shop://item/')
  datasetOf = (uri: string) => /^([a-z]+):\/\//.exec(uri)?.[1]
  hasTool = (name: string) => this.listTools().some((known) => known.name === name)

  call(name: string, args: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<ToolAnswer> {
    return (this.#offer.call ?? echo)(name, args, signal)
  }

  async complete(uriTemplate: string, _argument: string, value: string): Promise<Completion> {
    if (!this.listTemplates().some((known) => known.uriTemplate === uriTemplate)) {
      throw new StichtagError('NOT_FOUND', `There is no template ${uriTemplate}.`)
    }
    const values = Object.keys(this.content).filter((key) => key.startsWith(value))
    return { values: values.slice(0, 100), total: values.length, hasMore: values.length > 100 }
  }

  /** Any case of the table finds the item, as the catalogue understands other spellings. */
  #text(uri: string): string | null {
    return this.content[uri.replace(/^shop:\/\/item\//i, '')] ?? null
  }
}

export class FakeSource implements CatalogueSource {
  current: FakeCatalogue
  /** What digests were asked for, call by call. */
  readonly digestCalls: string[][] = []
  /** Awaited by each reading of digests: a test holds it, or makes it fail. */
  beforeDigests: (signal?: AbortSignal) => Promise<void> = async () => undefined
  #offer: Offer
  #version = 1
  readonly #listeners = new Set<(move: CatalogueMove) => void>()

  constructor(content: Content, offer: Offer = {}) {
    this.#offer = offer
    this.current = new FakeCatalogue(content, offer, this, this.#version)
  }

  get listenerCount(): number {
    return this.#listeners.size
  }

  /** Makes this the content, and says so: the pointer moved. */
  publish(content: Content, lists: Partial<Omit<CatalogueMove, 'datasets'>> = {}): void {
    this.#version += 1
    this.current = new FakeCatalogue(content, this.#offer, this, this.#version)
    this.#say({ datasets: ['shop'], toolsChanged: false, resourcesChanged: false, ...lists })
  }

  /** Offers other lists, and says so. */
  offer(offer: Offer, changed: Partial<Omit<CatalogueMove, 'datasets'>>): void {
    this.#offer = offer
    this.current = new FakeCatalogue(this.current.content, offer, this, this.#version)
    this.#say({ datasets: [], toolsChanged: false, resourcesChanged: false, ...changed })
  }

  onMove(listener: (move: CatalogueMove) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async close(): Promise<void> {
    this.#listeners.clear()
  }

  #say(move: CatalogueMove): void {
    for (const listener of this.#listeners) listener(move)
  }
}

/** Holds whoever awaits `held` until `release` is called; `reached` resolves when somebody does. */
export const gate = () => {
  const opened = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  return {
    reached: reached.promise,
    release: opened.resolve,
    held: async (): Promise<void> => {
      reached.resolve()
      await opened.promise
    },
  }
}
