/** One CSV record to its fields. Pure. */

/** The fields; or what is wrong; or `open`, when a quote is still open at the end of the text. */
export type SplitRecord = { readonly fields: string[] } | { readonly problem: string } | 'open'

export interface RecordSyntax {
  readonly delimiter: string
  readonly quotes: 'strict' | 'lenient' | 'none'
  readonly trim: boolean
}

const quote = '"'

/** Splits the text of a record. Nearly all records of big files hold no quote at all, which makes this fast. */
export const splitRecord = (text: string, syntax: RecordSyntax): SplitRecord => {
  if (syntax.quotes === 'none' || !text.includes(quote)) {
    const fields = text.split(syntax.delimiter)
    return { fields: syntax.trim ? fields.map((field) => field.trim()) : fields }
  }
  return splitQuoted(text, syntax)
}

const splitQuoted = (text: string, { delimiter, quotes, trim }: RecordSyntax): SplitRecord => {
  const lenient = quotes === 'lenient'
  const fields: string[] = []
  let position = 0
  for (;;) {
    const start = trim ? afterSpaces(text, position) : position
    if (text[start] === quote) {
      const field = quotedField(text, start, delimiter, lenient, trim)
      if (typeof field === 'string') return field === 'open' ? 'open' : { problem: field }
      fields.push(field.value)
      position = field.end
    } else {
      const found = text.indexOf(delimiter, position)
      const end = found === -1 ? text.length : found
      const value = text.slice(position, end)
      if (!lenient && value.includes(quote))
        return { problem: `a quote inside an unquoted field (${fields.length + 1})` }
      fields.push(trim ? value.trim() : value)
      position = end
    }
    if (position === text.length) return { fields }
    position += delimiter.length
  }
}

/** The field whose quote opens at `start`, and where it ends: at a delimiter or at the end of the text. */
const quotedField = (
  text: string,
  start: number,
  delimiter: string,
  lenient: boolean,
  trim: boolean,
): { readonly value: string; readonly end: number } | string => {
  let value = ''
  let from = start + 1
  for (;;) {
    const found = text.indexOf(quote, from)
    if (found === -1) return 'open'
    const end = trim ? afterSpaces(text, found + 1) : found + 1
    if (end === text.length || text.startsWith(delimiter, end)) return { value: value + text.slice(from, found), end }
    const doubled = text[found + 1] === quote
    if (!doubled && !lenient) return 'text after a closing quote'
    value += text.slice(from, found + 1)
    from = found + (doubled ? 2 : 1)
  }
}

const afterSpaces = (text: string, position: number): number => {
  let after = position
  while (text[after] === ' ') after++
  return after
}
