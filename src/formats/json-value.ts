/** JSON text to values without losing digits. */

/** As many digits in a row as a number needs before JavaScript may round it. */
const manyDigits = /\d{16}/

/**
 * The value of a JSON text. Integers past 2^53, which JavaScript would round, are given as the text of their digits: a
 * column of any type takes that, and JSON made of it still has them all.
 *
 * @throws SyntaxError
 */
export const parseJson = (text: string): unknown =>
  manyDigits.test(text) ? JSON.parse(text, keepingDigits) : JSON.parse(text)

const keepingDigits = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
    ? context?.source
    : value

/** What is wrong with a JSON text. V8 adds a line and column, which count within the text alone and would mislead. */
export const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/ \(line \d+ column \d+\)$/, '')
