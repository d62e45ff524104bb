/** Where a dataset comes from: its files on the web, and how today's address of one is looked up. */
import type { ArchiveDefinition } from '../formats/archive-members.ts'
import type { FormatDefinition } from '../formats/definition.ts'

/** The small requests by which a pipeline looks up where its file is: bounded, tried again, conditional. */
export interface Lookup {
  /** The text at a URL (an HTML page, an index). */
  text(url: string): Promise<string>
  /** The JSON at a URL, parsed. */
  json(url: string): Promise<unknown>
  /** Where a URL leads after its redirects, and what the answer's headers say. */
  head(url: string): Promise<{ readonly url: string; header(name: string): string | undefined }>
}

/** What `resolve` is called with: lookups, and the declared URL. */
export interface ResolveContext extends Lookup {
  readonly url: string
  readonly signal: AbortSignal
}

/** A file on the web, with what the publisher's index says of it; what arrives is checked by that first. */
export interface RemoteFile {
  readonly url: string
  readonly bytes?: number
  readonly sha1?: string
  readonly sha256?: string
  /** Says that the delivery is at least as new as this date or instant; the latest counts. */
  readonly publisherDate?: string
  /** How many records the file should hold: where another number is read, this is warned of. */
  readonly records?: number
}

export interface SourceDefinition {
  /** Usual name of the file, with its compression: `de_companies_ocdata.jsonl.bz2`. */
  readonly name: string
  /** The address that stays: of the file, or of the page or index by which `resolve` finds the file. */
  readonly url: string
  /**
   * Looks up today's address of the file, for publishers that have none that stays. The run fetches it; `url` is what is
   * recorded. Not called with `--from`, `--sample` or a setting's URL.
   */
  readonly resolve?: (context: ResolveContext) => Promise<string | RemoteFile>
  /**
   * The publisher's index, which may lie beside the file in a folder of `--from`: what it says of the file is checked
   * there, too. `url` is the one that `describe` gets, of the index.
   */
  readonly index?: { readonly name: string; readonly describe: (index: unknown, url: string) => RemoteFile }
  /**
   * The publisher's date in the name under which the publisher gives the file out, for what has none inside. Called with
   * the name of a file of this machine, without its folder; undefined where the name says nothing.
   */
  readonly dateInName?: (fileName: string) => string | undefined
  /**
   * Other files that people take for this one: a text (in ASCII) within the first 4,096 characters of such a file, unpacked,
   * and what it is, with what to take instead. Not for archives.
   */
  readonly mistakenFor?: readonly { readonly has: string; readonly is: string }[]
  /**
   * The publisher may have no such file: where it answers 404 or 410, or where the folder of `--from` or of a sample
   * does not hold it, the run goes on without it and the manifest warns. One source at least must be there.
   *
   * `{ byHand: what }`: the publisher always has it. A folder of this machine that somebody gives with `--from` need not
   * hold it: the run goes on without, the manifest warns that `what` is not there, and the snapshot says that it is a part.
   */
  readonly optional?: boolean | { readonly byHand: string }
  readonly format: FormatDefinition
  /** Says that the file is a zip archive. Without a member named, it must hold just one. */
  readonly archive?: ArchiveDefinition
}
