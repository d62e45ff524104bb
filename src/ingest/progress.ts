/** What a run tells whoever shows its progress. */

export type Step = 'download' | 'load' | 'index' | 'full text' | 'guard' | 'seal' | 'compare' | 'publish'

export interface Progress {
  readonly dataset: string
  readonly step: Step
  /** There where the file to download is on this machine, and is only looked through. */
  readonly isLocal?: true
  /** File that is downloaded or loaded. */
  readonly file?: string
  /** Bytes or records done so far. */
  readonly done?: number
  readonly total?: number
  readonly unit?: 'bytes' | 'records'
}

export type OnProgress = (progress: Progress) => void
