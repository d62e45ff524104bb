/** What a load thread is given, and what it says. Both ends are ours and of one process: types, and no parsing. */
import type { FormatDefinition } from '../formats/definition.ts'
import type { TableDefinition } from '../pipeline/types.ts'
import type { InputAccount } from './input-account.ts'
import type { SaidOfRecords } from './plan.ts'
import type { TableTotals } from './table-writer.ts'

export interface LoadThreadData {
  readonly dataset: string
  /** The pipeline's folder. */
  readonly folder: string
  /** Those that fit the delivery. */
  readonly tables: Readonly<Record<string, TableDefinition>>
  /** What the paths of the files begin with that the thread writes. */
  readonly path: string
}

export type ToLoadThread =
  | {
      readonly kind: 'input'
      readonly name: string
      readonly said: SaidOfRecords | undefined
      readonly format: FormatDefinition
    }
  /** Bytes of the input, which begin with this line of it. */
  | { readonly kind: 'part'; readonly bytes: Uint8Array<ArrayBuffer>; readonly line: number | undefined }
  | { readonly kind: 'end' }
  /** The file in hand is to be ended. */
  | { readonly kind: 'hand over' }
  /** No input follows. */
  | { readonly kind: 'finish' }

export type FromLoadThread =
  /** A part is read; so many records of the input are by now. */
  | { readonly kind: 'took'; readonly read: number }
  | { readonly kind: 'account'; readonly account: InputAccount }
  /** A file is ended, and now belongs to whoever asked for it. Without a path, there were no rows. */
  | { readonly kind: 'rows'; readonly path: string | undefined }
  | {
      readonly kind: 'finished'
      readonly totals: ReadonlyMap<string, TableTotals>
      readonly brokenKeys: Readonly<Record<string, number>>
    }
  /** The thread has given up, for whatever reason. */
  | { readonly kind: 'gave up'; readonly why: string }
