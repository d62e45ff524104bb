/** Attempts made of statements alone. */
import type { Attempt, Outcome } from './attempt.ts'

/** Statements that must all come to the same. */
export const all = (outcome: Outcome, ...statements: readonly string[]): readonly Attempt[] =>
  statements.map((sql) => ({ request: { sql }, outcome }))

/** A statement that must give exactly these rows. */
export const giving = (sql: string, ...rows: readonly (readonly unknown[])[]): Attempt => ({
  request: { sql },
  outcome: { rows },
})
