/** The command line's two channels: results on stdout, everything for people's eyes on stderr (DESIGN §4.3). */
import type { StichtagError } from '../errors.ts'

export interface Terminal {
  /** A result, as text. Not to be used with `--json`. */
  print(text: string): void
  /** The one JSON document of `--json`. */
  json(document: unknown): void
  /** A word to the person at the keyboard. */
  note(text: string): void
  /**
   * The document of `--json` where a command failed: `{error: {code, message}}` on one line. Nothing where the document
   * that the command promises is there already.
   */
  error(error: Pick<StichtagError, 'code' | 'message'>): void
}

/** A terminal on two streams. */
export const createTerminal = (out: NodeJS.WritableStream, err: NodeJS.WritableStream): Terminal => {
  let hasDocument = false
  return {
    print: (text) => void out.write(`${text}\n`),
    json: (document) => {
      hasDocument = true
      out.write(`${JSON.stringify(document, null, 2)}\n`)
    },
    note: (text) => void err.write(`${text}\n`),
    error: ({ code, message }) => {
      if (!hasDocument) out.write(`${JSON.stringify({ error: { code, message } })}\n`)
    },
  }
}

export const terminal: Terminal = createTerminal(process.stdout, process.stderr)

/** Rows under their headings, in columns. */
export const table = (headings: readonly string[], rows: readonly (readonly string[])[]): string => {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => (row[column] ?? '').length)),
  )
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return [line(headings), line(widths.map((width) => '─'.repeat(width))), ...rows.map(line)].join('\n')
}

/** Counts for people: 5,305,727. */
export const count = (value: number): string => value.toLocaleString('en-US')
