/** What a load thread is given, and what it says. Both ends are ours and of one process: types, and no parsing. */
import type { FormatDefinition } from '../formats/definition.ts'
import type { TableDefinition } from '../pipeline/types.ts'
import type { TableTotals } from './building.ts'
import type { InputAccount } from './input-account.ts'
import type { SaidOfRecords } from './plan.ts'

export interface LoadThreadData {
  readonly dataset: string
  /** The pipeline's folder. */
  readonly folder: string
  /** Those that fit the delivery. */
  readonly tables: Readonly<Record<string, TableDefinition>>
  /** The file that the thread writes. */
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
  /** No input follows. */
  | { readonly kind: 'finish' }

export type FromLoadThread =
  /** A part is read; so many records of the input are by now. */
  | { readonly kind: 'took'; readonly read: number }
  | { readonly kind: 'account'; readonly account: InputAccount }
  | {
      readonly kind: 'finished'
      readonly totals: ReadonlyMap<string, TableTotals>
      readonly brokenKeys: Readonly<Record<string, number>>
    }
  /** The thread has given up, for whatever reason. */
  | { readonly kind: 'gave up'; readonly why: string }
