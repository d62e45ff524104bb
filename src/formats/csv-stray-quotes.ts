/** Repairs records of sources that do not double the quotes inside quotes, as SNCF's or OFAC's remarks. Pure. */

interface FieldSyntax {
  readonly delimiter: string
  readonly trim: boolean
}

const quote = '"'

/**
 * The record as RFC 4180 wants it: a quote closes a field only before a delimiter or at the end, all others are doubled.
 * Undefined where a quote is still open at the end.
 */
export const withStrayQuotesDoubled = (text: string, syntax: FieldSyntax): string | undefined => {
  const missing = missingQuotes(text, syntax)
  if (missing === undefined || missing.length === 0) return missing && text
  const parts = missing.map((position, index) => text.slice(missing[index - 1] ?? 0, position))
  return [...parts, text.slice(missing.at(-1))].join(quote)
}

/** Where a quote is missing, in order; undefined where one is open at the end. */
const missingQuotes = (text: string, syntax: FieldSyntax): readonly number[] | undefined => {
  const missing: number[] = []
  let position = 0
  for (;;) {
    const start = syntax.trim ? afterSpaces(text, position) : position
    const end =
      text[start] === quote ? quotedEnd(text, start, syntax, missing) : unquotedEnd(text, start, syntax, missing)
    if (end === undefined || end === text.length) return end === undefined ? undefined : missing
    position = end + syntax.delimiter.length
  }
}

/** Where a field ends that no quote opens: at a delimiter, or at the end of the record. */
const unquotedEnd = (text: string, start: number, { delimiter, trim }: FieldSyntax, missing: number[]): number => {
  const found = text.indexOf(delimiter, start)
  const end = found === -1 ? text.length : found
  let next = text.indexOf(quote, start)
  if (next === -1 || next >= end) return end
  missing.push(start)
  for (; next !== -1 && next < end; next = text.indexOf(quote, next + 1)) missing.push(next)
  missing.push(trim ? beforeSpaces(text, end) : end)
  return end
}

/** Where the field ends whose quote opens at `start`. */
const quotedEnd = (
  text: string,
  start: number,
  { delimiter, trim }: FieldSyntax,
  missing: number[],
): number | undefined => {
  let from = start + 1
  for (;;) {
    const found = text.indexOf(quote, from)
    if (found === -1) return undefined
    const end = trim ? afterSpaces(text, found + 1) : found + 1
    if (end === text.length || text.startsWith(delimiter, end)) return end
    const doubled = text[found + 1] === quote
    if (!doubled) missing.push(found)
    from = found + (doubled ? 2 : 1)
  }
}

const afterSpaces = (text: string, position: number): number => {
  let after = position
  while (text[after] === ' ') after++
  return after
}

const beforeSpaces = (text: string, position: number): number => {
  let before = position
  while (text[before - 1] === ' ') before--
  return before
}
