/** RES012 to RES015 and RES023: what the SQL of a query may be, decided on its tokens. */
import { StichtagError } from '../errors.ts'
import { checkStatement } from '../query/statement.ts'
import { foldCase, isSymbol, isWord, type Token, tokensOf } from '../query/tokens.ts'
import { error, type RuleFinding, shownValue } from './finding.ts'

/** Reserved in SQLite, so that as bare words they are never names. */
const writing: ReadonlySet<string> = new Set(['insert', 'update', 'delete', 'create', 'drop', 'alter'])
/** Words that can be names as well: only the first of a statement says what it does. */
const acting: ReadonlySet<string> = new Set([
  ...writing,
  'replace',
  'attach',
  'detach',
  'pragma',
  'vacuum',
  'reindex',
  'analyze',
  'truncate',
])

interface Blocked {
  readonly token: Token
  /** Within another statement: in brackets, or after WITH. */
  readonly nested: boolean
}

const blockedWords = (tokens: readonly Token[]): readonly Blocked[] => {
  let begins = true
  let seen = false
  return tokens.flatMap((token, index) => {
    const isFirst = begins
    begins = isSymbol(token, ';')
    if (token.kind !== 'word') return []
    const word = foldCase(token.text)
    const isReplaceInto = word === 'replace' && isWord(tokens[index + 1], 'INTO')
    const isBlocked = isFirst ? acting.has(word) : writing.has(word) || isReplaceInto
    const nested = seen && !isFirst
    seen ||= isFirst
    return isBlocked ? [{ token, nested }] : []
  })
}

/** Checks the SQL of a query that has so many parameters. */
export const sqlFindings = (sql: string, parameterCount: number, path: string): readonly RuleFinding[] => {
  const tokens = tokensOf(sql)
  const blocked = blockedWords(tokens)
  const findings: RuleFinding[] = []
  const begins = ['SELECT', 'WITH'].some((keyword) => isWord(tokens[0], keyword))
  if (!begins) findings.push(error('RES012', path, shownValue(tokens[0]?.text), 'A query only reads.'))
  for (const { token, nested } of blocked) {
    const word = token.text.toUpperCase()
    findings.push(error('RES013', path, word, 'Take it out: databases are only read.'))
    if (nested) findings.push(error('RES023', path, `${word} within the statement`, 'Select there as well.'))
  }
  const interpolated = /\{\{|\$\{/.exec(sql)?.[0]
  const refusal = begins && blocked.length === 0 && interpolated === undefined ? refusalOf(sql) : undefined
  if (refusal !== undefined) findings.push(error('RES013', path, shownValue(sql.trim()), refusal))
  const variables = tokens.filter((token) => token.kind === 'variable')
  const named = variables.find((token) => token.text !== '?')?.text ?? interpolated
  if (named !== undefined) {
    findings.push(error('RES014', path, named, 'Write ?: values are bound in the order of the parameters.'))
  }
  if (variables.length !== parameterCount) {
    const counts = `${variables.length} placeholders for ${parameterCount} parameters`
    findings.push(error('RES015', path, counts, 'Give each placeholder one parameter.'))
  }
  return findings
}

/** What else keeps a statement from being run: several statements, functions and tables that reach out. */
const refusalOf = (sql: string): string | undefined => {
  try {
    // Tables are not known here: what is called like a function may be a full-text table of the database.
    checkStatement(sql, (name) => !name.startsWith('pragma_'))
    return undefined
  } catch (thrown) {
    if (thrown instanceof StichtagError && thrown.code === 'STATEMENT_REFUSED') return thrown.message
    throw thrown
  }
}
