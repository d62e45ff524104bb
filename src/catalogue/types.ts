/**
 * The catalogue: everything a gateway offers, computed from schemas and current snapshots. Protocol-free: the gateway
 * room turns these shapes into either era's messages.
 */
import type { ErrorCode } from '../errors.ts'

/** How long an answer stays fresh (DESIGN §4.7). `cacheScope` is the gateway's to say. */
export interface Freshness {
  /** Milliseconds, 0 to a day; a year for versioned URIs. */
  readonly ttlMs: number
}

export interface ResourceEntry {
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: string
  /** ISO 8601: when what it shows last changed. */
  readonly lastModified?: string
  /** Bytes of its first content, where they are known without reading data. */
  readonly size?: number
}

export interface TemplateEntry {
  /** RFC 6570 level 1: `offeneregister://company/{company_number}`. */
  readonly uriTemplate: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: string
}

/** A JSON Schema of type object. */
export type ObjectSchema = Readonly<Record<string, unknown>> & { readonly type: 'object' }

export interface ToolEntry {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: ObjectSchema
  readonly outputSchema: ObjectSchema
}

export type Content =
  | { readonly uri: string; readonly mimeType: string; readonly text: string }
  | { readonly uri: string; readonly mimeType: string; readonly blob: string }

/** What reading a URI gives. */
export interface Reading extends Freshness {
  readonly contents: readonly Content[]
  /** Digest of what a subscription compares (DESIGN §4.6): two readings with the same digest read the same. */
  readonly digest: string
}

export interface ResourceLink {
  readonly uri: string
  readonly name: string
  readonly title?: string
  readonly mimeType: string
  /** Bytes, where they are known. */
  readonly size?: number
}

/** What calling a tool gives. `structured` is an object; its JSON text is the text content. */
export type ToolAnswer =
  | {
      readonly ok: true
      readonly structured: Readonly<Record<string, unknown>>
      readonly links: readonly ResourceLink[]
      /** Resources that are part of the answer itself, such as the BLOBs of a record. */
      readonly embedded?: readonly Content[]
    }
  /** An expected failure, in words a model can act on. */
  | { readonly ok: false; readonly code: ErrorCode; readonly message: string }

export interface Completion {
  /** At most 100 values. */
  readonly values: readonly string[]
  readonly total?: number
  readonly hasMore: boolean
}

/** One state of everything on offer. Immutable: a new one is made when a pointer, file or schema changes. */
export interface Catalogue {
  listResources(): readonly ResourceEntry[]
  listTemplates(): readonly TemplateEntry[]
  listTools(): readonly ToolEntry[]
  /** Freshness of the three lists: that of the dataset whose next run comes first. */
  readonly listTtlMs: number
  /** Reads a URI in any spelling. Throws NOT_FOUND with `data: {uri}`. */
  read(uri: string, signal?: AbortSignal): Promise<Reading>
  /**
   * Digests of many URIs at once, computed off the main process in batches; `null` where there is nothing at that URI
   * now. Throws NOT_FOUND only for a URI that could never exist (see {@link canSubscribe}).
   */
  digests(uris: readonly string[], signal?: AbortSignal): Promise<readonly (string | null)[]>
  /** Whether the URI is well formed and of a known dataset and table or query: its record need not exist yet. */
  canSubscribe(uri: string): boolean
  /** Dataset that a URI belongs to, or undefined. */
  datasetOf(uri: string): string | undefined
  /** Ids of the datasets on offer, those included that cannot be read just now. */
  readonly datasets: readonly string[]
  /** The same without all other datasets: what somebody is shown whose authorisation ends at these. */
  only(datasets: ReadonlySet<string>): Catalogue
  /** Current version per dataset (a digest of path and time where a file is not ours). */
  readonly versions: ReadonlyMap<string, string>
  hasTool(name: string): boolean
  /** Calls a tool, folded and alias names included. Throws NOT_FOUND for an unknown name. */
  call(name: string, args: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<ToolAnswer>
  /** Values for an argument of a template. `context` holds arguments already given. */
  complete(
    uriTemplate: string,
    argument: string,
    value: string,
    context: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ): Promise<Completion>
}

/** What moved between two catalogues. */
export interface CatalogueMove {
  /** Datasets whose current snapshot, state or file changed: their subscribed URIs may read differently. */
  readonly datasets: readonly string[]
  readonly toolsChanged: boolean
  /** The list of resources or of templates changed. */
  readonly resourcesChanged: boolean
}

/** The live side: the catalogue as it is now, and word of each new one. */
export interface CatalogueSource {
  readonly current: Catalogue
  /** Calls back after `current` became a new catalogue; returns how to stop. */
  onMove(listener: (move: CatalogueMove) => void): () => void
  close(): Promise<void>
}
