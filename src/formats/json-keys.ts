/**
 * Keys that are there twice in one object of a JSON text: JSON.parse keeps the last of them and says nothing. Pure.
 *
 * Told by counting: keys in the text, and keys in its value. Looking closer is for the few texts in which they differ.
 */

/** Remarked of a record that has such an object. */
export const repeatedKey = 'an object has a key twice, of which the last counts'

/** Lines up to which every record is looked at; of later ones one in so many, since looking takes a sixth of parsing. */
const allUpTo = 100_000
const oneIn = 32

/** Whether a record of a line is looked at. */
export const isLookedAt = (line: number): boolean => line <= allUpTo || line % oneIn === 0

/** Whether an object in a text has a key twice, by the text and its value. */
export const hasRepeatedKey = (text: string, value: unknown): boolean =>
  endsOfKeys(text) !== keysIn(value) && isRepeatedIn(text)

/** Keys as nearly everybody writes them, a quote and a colon; what looks so within a text makes one look closer. */
const endsOfKeys = (text: string): number => {
  let count = 0
  for (let at = text.indexOf('":'); at !== -1; at = text.indexOf('":', at + 2)) count += 1
  return count
}

const keysIn = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) for (const item of value) count += keysIn(item)
  else {
    for (const item of Object.values(value)) count += 1 + keysIn(item)
  }
  return count
}

/** A string, with what follows where that makes it a key; or a bracket. */
const tokens = /"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?|[{}]/gs

/** Of a text that is JSON. */
const isRepeatedIn = (text: string): boolean => {
  const open: Set<string>[] = []
  for (const [token, content = '', colon] of text.matchAll(tokens)) {
    if (token === '{') open.push(new Set())
    else if (token === '}') open.pop()
    else if (colon !== undefined) {
      const keys = open.at(-1)
      const key = content.includes('\\') ? String(JSON.parse(`"${content}"`)) : content
      if (keys?.has(key) === true) return true
      keys?.add(key)
    }
  }
  return false
}
