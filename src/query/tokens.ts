/**
 * SQL text as the tokens SQLite sees (its tokenize.c), comments and white space left out. Decisions about a statement
 * are made on these and never on the text, where a comment, a string or a quoted name can look like anything.
 */

export type TokenKind =
  /** A bare word: keyword or name. */
  | 'word'
  /** A quoted name: `"a"`, `` `a` ``, `[a]`. */
  | 'quoted'
  /** `'text'`. SQLite also takes it as a table's name. */
  | 'string'
  | 'number'
  | 'blob'
  /** `?`, `?1`, `:name`, `@name`, `$name`. */
  | 'variable'
  | 'symbol'
  /** What SQLite has no token for, or an unterminated string. */
  | 'illegal'

export interface Token {
  readonly kind: TokenKind
  /** As written; of `quoted` and `string` what is inside the quotes. */
  readonly text: string
  /** Where it starts in the SQL text. */
  readonly start: number
}

/** Lower case as SQLite folds names: A to Z only. */
export const foldCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

// SQLite counts every character beyond ASCII as a letter, exotic spaces included; only U+FEFF on its own is a space.
const space = /[ \t\n\f\r\uFEFF]+/y
const lineComment = /--[^\n]*/y
// An unterminated block comment reaches to the end. `/*` as the very last characters is two operators to SQLite.
const blockComment = /\/\*(?=[\s\S])[\s\S]*?(?:\*\/|$)/y
const word = /[A-Za-z_\u0080-\uFFFF][A-Za-z0-9_$\u0080-\uFFFF]*/y
const number =
  /0[xX][0-9A-Fa-f](?:_?[0-9A-Fa-f])*|(?:\d(?:_?\d)*(?:\.(?:\d(?:_?\d)*)?)?|\.\d(?:_?\d)*)(?:[eE][+-]?\d(?:_?\d)*)?/y
const nameCharacters = /[A-Za-z0-9_$\u0080-\uFFFF]+/y
const blob = /[xX]'(?:[0-9A-Fa-f]{2})*'/y
const variable = /\?\d*|[:@$#][A-Za-z0-9_$\u0080-\uFFFF]+/y
const symbol = /->>|->|\|\||<=|<>|<<|>=|>>|==|!=|[-+*/%=<>|&~,();.]/y

const matchAt = (pattern: RegExp, sql: string, at: number): string | undefined => {
  pattern.lastIndex = at
  return pattern.exec(sql)?.[0]
}

/** End of a quoted run that starts at `at` and doubles its quote to contain it, or undefined where it has no end. */
const quotedEnd = (sql: string, at: number, quote: string): number | undefined => {
  for (let end = sql.indexOf(quote, at + 1); end !== -1; end = sql.indexOf(quote, end + 2)) {
    if (sql[end + 1] !== quote) return end + 1
  }
  return undefined
}

const quoted = (sql: string, at: number, kind: 'quoted' | 'string', quote: string): { token: Token; end: number } => {
  const end = quotedEnd(sql, at, quote)
  if (end === undefined) return { token: { kind: 'illegal', text: sql.slice(at), start: at }, end: sql.length }
  const text = sql.slice(at + 1, end - 1).replaceAll(quote + quote, quote)
  return { token: { kind, text, start: at }, end }
}

const bracketed = (sql: string, at: number): { token: Token; end: number } => {
  const end = sql.indexOf(']', at)
  if (end === -1) return { token: { kind: 'illegal', text: sql.slice(at), start: at }, end: sql.length }
  return { token: { kind: 'quoted', text: sql.slice(at + 1, end), start: at }, end: end + 1 }
}

const tokenAt = (sql: string, at: number): { token: Token; end: number } => {
  const first = sql[at]
  if (first === "'") return quoted(sql, at, 'string', first)
  if (first === '"' || first === '`') return quoted(sql, at, 'quoted', first)
  if (first === '[') return bracketed(sql, at)
  const plain = (kind: TokenKind, text: string) => ({ token: { kind, text, start: at }, end: at + text.length })
  const digits = matchAt(number, sql, at)
  if (digits !== undefined) {
    // A number that runs into letters is no token of SQLite's: `1from` is not `1 from`.
    const rest = matchAt(nameCharacters, sql, at + digits.length) ?? ''
    return plain(rest === '' ? 'number' : 'illegal', digits + rest)
  }
  if ((first === 'x' || first === 'X') && sql[at + 1] === "'") {
    const bytes = matchAt(blob, sql, at)
    return bytes === undefined ? plain('illegal', sql.slice(at)) : plain('blob', bytes)
  }
  const kinds: readonly [TokenKind, RegExp][] = [
    ['word', word],
    ['variable', variable],
    ['symbol', symbol],
  ]
  for (const [kind, pattern] of kinds) {
    const text = matchAt(pattern, sql, at)
    if (text !== undefined) return plain(kind, text)
  }
  return plain('illegal', first ?? '')
}

/** The tokens of an SQL text. */
export const tokensOf = (sql: string): readonly Token[] => {
  const tokens: Token[] = []
  let at = 0
  while (at < sql.length) {
    const skipped = matchAt(space, sql, at) ?? matchAt(lineComment, sql, at) ?? matchAt(blockComment, sql, at)
    if (skipped !== undefined) {
      at += skipped.length
      continue
    }
    const { token, end } = tokenAt(sql, at)
    tokens.push(token)
    at = end
  }
  return tokens
}

/** Whether a token is this bare word, in any case. `keyword` is written in capitals. */
export const isWord = (token: Token | undefined, keyword: string): boolean =>
  token?.kind === 'word' && foldCase(token.text) === foldCase(keyword)

/** Whether a token is this operator or bracket. */
export const isSymbol = (token: Token | undefined, text: string): boolean =>
  token?.kind === 'symbol' && token.text === text

/** Whether a token can name something: a bare word, a quoted name, or a string where SQLite takes it for one. */
export const isName = (token: Token | undefined): token is Token =>
  token?.kind === 'word' || token?.kind === 'quoted' || token?.kind === 'string'
