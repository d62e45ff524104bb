/** The command line's two channels: results on stdout, everything for people's eyes on stderr (DESIGN §4.3). */

export interface Terminal {
  /** A result, as text. Not to be used with `--json`. */
  print(text: string): void
  /** The one JSON document of `--json`. */
  json(document: unknown): void
  /** A word to the person at the keyboard. */
  note(text: string): void
  readonly width: number
}

export const terminal: Terminal = {
  print: (text) => void process.stdout.write(`${text}\n`),
  json: (document) => void process.stdout.write(`${JSON.stringify(document, null, 2)}\n`),
  note: (text) => void process.stderr.write(`${text}\n`),
  width: process.stdout.columns ?? 120,
}

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
