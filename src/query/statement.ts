/**
 * What a statement may do, decided on its tokens before SQLite sees it (some PRAGMAs act while they are prepared): it is
 * one statement, it begins with SELECT, WITH, VALUES or EXPLAIN of these, and it calls nothing that reaches beyond the
 * database. A second lock is in `open-files.ts`, where the engine itself forgets the tables refused here, and a third in
 * `read-rows.ts`, which asks SQLite whether the statement only reads.
 */
import { StichtagError } from '../errors.ts'
import { tableNames } from './table-names.ts'
import { foldCase, isName, isSymbol, isWord, type Token, tokensOf } from './tokens.ts'

/** Table-valued functions, and tables that exist without a CREATE, which a statement may use. */
export const allowedTableFunctions: ReadonlySet<string> = new Set([
  'json_each',
  'json_tree',
  'jsonb_each',
  'jsonb_tree',
  'generate_series',
  'pragma_table_info',
  'pragma_table_xinfo',
  'pragma_index_list',
  'pragma_index_info',
  'pragma_index_xinfo',
  'pragma_foreign_key_list',
])

/** Tables that SQLite or an extension offers without a CREATE and that show files, pages, or the process. */
export const refusedTables: ReadonlySet<string> = new Set([
  'dbstat',
  'sqlite_dbpage',
  'sqlite_dbdata',
  'sqlite_dbptr',
  'sqlite_stmt',
  'sqlite_memstat',
  'bytecode',
  'tables_used',
  'fts3tokenize',
  'fts4aux',
  'fts5vocab',
  'completion',
  'fsdir',
  'zipfile',
  'csv',
  'unionvtab',
  'swarmvtab',
])

/** Functions that load code, touch files, or hand out pointers. Most are only in SQLite's shell; none is needed. */
const refusedFunctions: ReadonlySet<string> = new Set([
  'load_extension',
  'readfile',
  'writefile',
  'edit',
  'fts3_tokenizer',
  'sqlite_log',
])

/** Characters of a statement that a message repeats. */
const longestShown = 60

const refuse = (why: string): never => {
  throw new StichtagError('STATEMENT_REFUSED', `${why} Only statements that read this database are run.`)
}

/**
 * Checks the outer shape: one statement, beginning with SELECT, WITH, VALUES or EXPLAIN of these.
 * @returns its tokens, without the semicolons at the end
 * @throws STATEMENT_REFUSED
 */
export const readingTokens = (sql: string): readonly Token[] => {
  // SQLite stops at a NUL, so what follows one would be checked but not run, or run in part.
  if (sql.includes('\0')) refuse('The statement contains a NUL character.')
  const all = tokensOf(sql)
  const tokens = all.slice(0, all.findLastIndex((token) => !isSymbol(token, ';')) + 1)
  if (tokens.length === 0) refuse('There is no statement.')
  const illegal = tokens.find((token) => token.kind === 'illegal')
  if (illegal !== undefined) refuse(`The statement has something at character ${illegal.start + 1} that is no SQL.`)
  if (tokens.some((token) => isSymbol(token, ';'))) refuse('There is more than one statement.')
  const first = explained(tokens)
  const begins = ['SELECT', 'WITH', 'VALUES'].some((keyword) => isWord(first, keyword))
  if (!begins)
    refuse(
      `The statement begins with ${first === undefined ? 'nothing' : shown(first).toUpperCase()}, not SELECT, WITH, VALUES or EXPLAIN of one of these.`,
    )
  return tokens
}

/** A token as a message may repeat it. */
const shown = (token: Token): string => token.text.slice(0, longestShown)

/** The first token after EXPLAIN or EXPLAIN QUERY PLAN, which only tell of the statement they stand before. */
const explained = (tokens: readonly Token[]): Token | undefined => {
  if (!isWord(tokens[0], 'EXPLAIN')) return tokens[0]
  return isWord(tokens[1], 'QUERY') && isWord(tokens[2], 'PLAN') ? tokens[3] : tokens[1]
}

/**
 * Checks everything about a statement that its tokens tell.
 * @param isOwnTable whether the database has a table or view of this name (in lower case); such a one is what SQLite
 *   reads, whatever else bears the name
 * @throws STATEMENT_REFUSED saying why, in words a model can act on
 */
export const checkStatement = (sql: string, isOwnTable: (name: string) => boolean = () => false): void => {
  const tokens = readingTokens(sql)
  for (const [index, token] of tokens.entries()) {
    if (!isName(token) || !isSymbol(tokens[index + 1], '(')) continue
    if (refusedFunctions.has(foldCase(token.text))) refuse(`The function ${shown(token)}() is not available.`)
  }
  for (const { token, name, called } of tableNames(tokens)) {
    if (allowedTableFunctions.has(name) || isOwnTable(name)) continue
    if (refusedTables.has(name) || name.startsWith('pragma_')) refuse(`The table ${shown(token)} is not available.`)
    if (called) {
      refuse(`${shown(token)}(…) is no table-valued function that can be used; ${listed} can.`)
    }
  }
}

const listed = [...allowedTableFunctions].join(', ')
