/**
 * Where a statement names tables: after FROM and JOIN, after a comma of a FROM clause, after IN, and in brackets of joins.
 *
 * Brackets are walked with one frame each, because a comma means something else in a select list, in a call's arguments
 * and in a FROM clause. Where SQL is ambiguous without a full parser, a place counts as a table's.
 */
import { foldCase, isName, isSymbol, type Token } from './tokens.ts'

export interface TableName {
  readonly token: Token
  /** Its last part, as SQLite compares it: without schema, in lower case. */
  readonly name: string
  /** Whether it is called like a function: `json_each(…)`. */
  readonly called: boolean
}

interface Frame {
  /** Within a FROM clause, so that a comma brings another table. */
  inFrom: boolean
  /** What the next name is: a table, a table unless a bracket opens (after IN), or no table. */
  next: 'table' | 'table or list' | 'other'
}

/** Words that end a FROM clause (all reserved in SQLite, so never names). */
const ending = new Set([
  'select',
  'where',
  'group',
  'having',
  'order',
  'limit',
  'union',
  'except',
  'intersect',
  'values',
  'set',
  'returning',
])

/** Every table, view or table-valued function that a statement names. */
export const tableNames = (tokens: readonly Token[]): readonly TableName[] => {
  const found: TableName[] = []
  const outer: Frame[] = []
  let frame: Frame = { inFrom: false, next: 'other' }
  for (const [index, token] of tokens.entries()) {
    if (token.kind === 'symbol') {
      if (token.text === '(') {
        outer.push(frame)
        const joins = frame.next === 'table'
        frame.next = 'other'
        frame = { inFrom: joins, next: joins ? 'table' : 'other' }
      } else if (token.text === ')') {
        frame = outer.pop() ?? { inFrom: false, next: 'other' }
      } else if (token.text === ',') {
        frame.next = frame.inFrom ? 'table' : 'other'
      }
      continue
    }
    if (token.kind === 'word' && moved(frame, foldCase(token.text), tokens[index - 1])) continue
    if (frame.next === 'other' || !isName(token)) continue
    // `main.` before a name says where the table lies; the table is what follows.
    if (isSymbol(tokens[index + 1], '.')) continue
    found.push({ token, name: foldCase(token.text), called: isSymbol(tokens[index + 1], '(') })
    frame.next = 'other'
  }
  return found
}

/** Moves the frame on a keyword and says whether it was one. */
const moved = (frame: Frame, word: string, previous: Token | undefined): boolean => {
  if (word === 'from') {
    // `a IS DISTINCT FROM b` compares.
    if (previous?.kind === 'word' && foldCase(previous.text) === 'distinct') return true
    frame.inFrom = true
    frame.next = 'table'
  } else if (word === 'join') {
    frame.inFrom = true
    frame.next = 'table'
  } else if (word === 'in') {
    frame.next = 'table or list'
  } else if (word === 'on' || word === 'using') {
    frame.next = 'other'
  } else if (ending.has(word) || (word === 'with' && isSymbol(previous, '('))) {
    frame.inFrom = false
    frame.next = 'other'
  } else {
    return false
  }
  return true
}
