/** The source writes several names into one field; a name that is not on its own is a name that is not found. Pure. */

const hasLatin = (text: string): boolean => /\p{Script=Latin}/u.test(text)
const hasLetters = (text: string): boolean => /\p{L}/u.test(text)

/** The parts of a text between the separators that are in no brackets. */
const partsOf = (text: string): string[] => {
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1
    else if (text[at] === ')') depth = Math.max(0, depth - 1)
    else if (text[at] === ';' && depth === 0) {
      parts.push(text.slice(from, at))
      from = at + 1
    }
  }
  return [...parts, text.slice(from)]
}

/** Where the brackets at a text's end open; undefined where it ends in none. */
const lastBracket = (text: string): number | undefined => {
  if (!text.endsWith(')')) return undefined
  let depth = 0
  for (let at = text.length - 1; at >= 0; at -= 1) {
    if (text[at] === ')') depth += 1
    else if (text[at] === '(') depth -= 1
    if (depth === 0) return at
  }
  return undefined
}

/**
 * The names in a field, in their order: `A; B` and `A b) B` are two, and so are a name and the same in another script in
 * brackets after it, `حسن غول (Hassan Ghul; Hasan Gul)`. Brackets that only add to a name stay with it.
 */
export const namesIn = (field: string): string[] => {
  const names = partsOf(field.replace(/\s[b-z]\)\s/g, ';')).flatMap((part) => {
    const text = part.replace(/\s+/gu, ' ').trim()
    const bracket = lastBracket(text)
    if (bracket === undefined) return [text]
    const before = text.slice(0, bracket).trim()
    const inside = text
      .slice(bracket + 1, -1)
      .replace(/^original script:?/, '')
      .trim()
    if (inside === '') return [before]
    const isOtherScript = hasLetters(before) && hasLetters(inside) && hasLatin(before) !== hasLatin(inside)
    const isList = inside.includes(';') || isOtherScript
    return isList ? [before, ...namesIn(inside)] : [text]
  })
  return [...new Set(names.filter((name) => name !== ''))]
}
