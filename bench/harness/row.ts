/** What a row of the benchmark is, and what it is given. */
import type { Line } from './lines.ts'

/** `tiny` shows that a row works, `reduced` all of them in minutes, `full` is what the goals are about. */
export type Size = 'tiny' | 'reduced' | 'full'

export interface Bench {
  readonly size: Size
  /** How often each side of a comparison is run, in turn. */
  readonly rounds: number
  /** Folder of generated inputs, kept from run to run. */
  readonly inputs: string
  /** Folder that other people's servers and libraries were installed into. */
  readonly peers: string
  /** Folder of this run: removed after it. Rows that need the same store find it here. */
  readonly work: string
  readonly signal: AbortSignal
  /** Progress, for people. */
  say(text: string): void
}

/** One independent part of the benchmark: `pnpm bench <name>`. */
export interface BenchRow {
  readonly name: string
  readonly title: string
  run(bench: Bench): Promise<readonly Line[]>
}

/** The value for the size of this run. */
export const sized = <T>({ size }: Pick<Bench, 'size'>, sizes: Readonly<Record<Size, T>>): T => sizes[size]
