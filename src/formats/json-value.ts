/** JSON text to values without losing digits. */

/** Digits in a row that a number needs before JavaScript may round it. */
const manyDigits = 16
/** So big an exponent that a number may be lost. */
const bigExponent = /\d[eE][+-]?\d{3}/

/** Objects and arrays within each other, at most: what is deeper than the call stack cannot be written as JSON again. */
export const maxDepth = 1000

/**
 * The value of a JSON text. Numbers of which JavaScript would lose digits (integers past 2^53) or everything (1e400) are
 * given as their text: a column of type TEXT takes that, and JSON made of it still has them all.
 *
 * @throws SyntaxError; RangeError where it is more than {@link maxDepth} deep
 */
export const parseJson = (text: string): unknown => {
  if (isTooDeep(text)) throw new RangeError(`objects and arrays more than ${maxDepth} deep within each other`)
  return hasManyDigits(text) || bigExponent.test(text) ? JSON.parse(text, keepingDigits) : JSON.parse(text)
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

/** Looks at every sixteenth character, of which one is in any such row: a fifth of the time of a regular expression. */
const hasManyDigits = (text: string): boolean => {
  for (let at = manyDigits - 1; at < text.length; at += manyDigits) {
    if (!isDigit(text.charCodeAt(at))) continue
    let from = at
    while (from > 0 && isDigit(text.charCodeAt(from - 1))) from--
    let to = at + 1
    while (to < text.length && isDigit(text.charCodeAt(to))) to++
    if (to - from >= manyDigits) return true
  }
  return false
}

const keepingDigits = (_key: string, value: unknown, context?: { readonly source?: string }): unknown => {
  if (typeof value !== 'number' || context?.source === undefined) return value
  const { source } = context
  const isLost = /^-?\d+$/.test(source)
    ? !Number.isSafeInteger(value)
    : !Number.isFinite(value) || (value === 0 && /^[^eE]*[1-9]/.test(source))
  return isLost ? source : value
}

/** Nearly no text has so many brackets that it must be looked at. */
const isTooDeep = (text: string): boolean =>
  text.length > 2 * maxDepth && countOf(text, '[') + countOf(text, '{') > maxDepth && depthOf(text) > maxDepth

const countOf = (text: string, character: string): number => {
  let count = 0
  for (let at = text.indexOf(character); at !== -1 && count <= maxDepth; at = text.indexOf(character, at + 1)) count++
  return count
}

const quote = 0x22
const backslash = 0x5c

/** How deep a text goes, brackets within strings left out. */
const depthOf = (text: string): number => {
  let depth = 0
  let deepest = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) inString = !inString
    else if (inString) at += code === backslash ? 1 : 0
    else if (code === 0x5b || code === 0x7b) deepest = Math.max(deepest, ++depth)
    else if (code === 0x5d || code === 0x7d) depth--
  }
  return deepest
}

/** What is wrong with a JSON text, and that it is one. */
export const problemOf = (error: unknown): string =>
  error instanceof RangeError ? error.message : `not valid JSON: ${reasonOf(error)}`

/** V8 adds a line and column, which count within the text alone and would mislead. */
export const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/ \(line \d+ column \d+\)$/, '')
