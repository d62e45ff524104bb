/** The line of a pipeline's file that an error came from. */
import { parse } from 'acorn'

/**
 * The line in the file at `path`, whose text is given: from the error's stack, in which Node names the line of what ran
 * and of TypeScript that cannot be read; of JavaScript that cannot be read it says none, so that is parsed once more.
 */
export const faultyLine = (error: unknown, path: string, text: string): number | undefined => {
  if (!(error instanceof Error)) return undefined
  const [, after = ''] = (error.stack ?? '').split(path)
  const [, line] = /^(?:\?\w+)?:(\d+)/.exec(after) ?? []
  if (line !== undefined) return Number(line)
  return error instanceof SyntaxError && !path.endsWith('.ts') ? syntaxLine(text) : undefined
}

const syntaxLine = (text: string): number | undefined => {
  try {
    parse(text, { ecmaVersion: 'latest', sourceType: 'module' })
    return undefined
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown
    // acorn adds `loc` to its syntax errors.
    return (thrown as SyntaxError & { loc?: { line: number } }).loc?.line
  }
}
