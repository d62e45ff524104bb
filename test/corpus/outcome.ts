/** What an attempt came to, told from what a host got. */
import type { Outcome } from './attempt.ts'

/** What a host got: an answer, an answer that says what is wrong, or an error of the protocol or of HTTP. */
export type Got =
  | { readonly kind: 'answer'; readonly structured: Readonly<Record<string, unknown>> }
  | { readonly kind: 'refusal' | 'error'; readonly message: string }

/** Words by which each refusal is known. They are for models to act on, so that they must not be others' by mistake. */
const words = {
  refused: /Only statements that read this database are run|does not only read/,
  'timed out': /ran past its limit of \d+ ms and was stopped/,
  'too much memory': /used more than its \d+ MiB of memory and was stopped/,
  failed: /^SQLite: |over the limit of \d+ bytes|grows bigger than a database can hold|text to search for is too long/,
  'nothing there': /^Nothing is at |^There is no dataset |cannot be told/,
} as const

const isNamed = (name: string): name is keyof typeof words => Object.hasOwn(words, name)

const kindsOf = (message: string): readonly (keyof typeof words)[] =>
  Object.entries(words).flatMap(([name, pattern]) => (isNamed(name) && pattern.test(message) ? [name] : []))

/** Whether what a host got is what an attempt must come to. */
export const isOutcome = (got: Got, outcome: Outcome): boolean => {
  if (typeof outcome === 'object') {
    return got.kind === 'answer' && JSON.stringify(valuesIn(got.structured)) === JSON.stringify(outcome.rows)
  }
  if (outcome === 'harmless') return got.kind === 'answer'
  if (outcome === 'cut') {
    return got.kind === 'answer' && got.structured.truncated === true && JSON.stringify(got.structured).length < 250_000
  }
  if (got.kind === 'answer') return false
  if (outcome === 'nothing there' && got.kind === 'error') return true
  const kinds = kindsOf(got.message)
  if (outcome === 'stopped') return kinds.some((kind) => ['timed out', 'too much memory', 'failed'].includes(kind))
  if (outcome === 'bad arguments') return got.kind === 'refusal' && kinds.length === 0
  return kinds.includes(outcome)
}

/** The rows of an answer, by the order of its columns. */
const valuesIn = ({ columns, rows }: Readonly<Record<string, unknown>>): unknown =>
  Array.isArray(columns) && Array.isArray(rows)
    ? rows.map((row: unknown) => columns.map((column) => Object.getOwnPropertyDescriptor(row, String(column))?.value))
    : undefined

/** What a host got, in a few words for a report. */
export const shownGot = (got: Got): string =>
  (got.kind === 'answer' ? JSON.stringify(got.structured) : `${got.kind}: ${got.message}`).slice(0, 200)
