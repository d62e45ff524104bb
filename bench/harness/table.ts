/** The table as people read it: aligned in a terminal, Markdown in RESULTS.md. Pure. */
import type { Line } from './lines.ts'

const heads = ['what', 'against', 'ours', 'theirs', 'ratio', 'goal', 'holds'] as const

const holdsInWords = ({ holds }: Line): string => (holds === undefined ? '–' : holds ? 'yes' : 'NO')

const cellsOf = (line: Line): string[] =>
  [line.what, line.against, line.ours, line.theirs, line.ratio, line.goal, holdsInWords(line)].map((cell) =>
    cell === '' ? '–' : cell,
  )

const widthsOf = (rows: readonly (readonly string[])[]): number[] =>
  heads.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))

const notesOf = (lines: readonly Line[]): string[] =>
  lines.flatMap(({ what, against, note }) => (note === undefined ? [] : [`${what}, against ${against}: ${note}`]))

const padded = (row: readonly string[], widths: readonly number[]): string[] =>
  row.map((cell, column) => cell.padEnd(widths[column] ?? 0))

/** Lines as text for a terminal. */
export const terminalTable = (lines: readonly Line[]): string => {
  const rows = [heads, ...lines.map(cellsOf)]
  const widths = widthsOf(rows)
  return [
    ...rows.map((row) => padded(row, widths).join('  ').trimEnd()),
    ...notesOf(lines).map((note) => `  ${note}`),
  ].join('\n')
}

/** Lines as a Markdown table, notes below it. */
export const markdownTable = (lines: readonly Line[]): string => {
  const safe = lines.map((line) => cellsOf(line).map((cell) => cell.replaceAll('|', '\\|')))
  const widths = widthsOf([heads, ...safe])
  const table = [heads, widths.map((width) => '-'.repeat(width)), ...safe].map(
    (row) => `| ${padded(row, widths).join(' | ')} |`,
  )
  const notes = notesOf(lines).map((note) => `- ${note}`)
  return [...table, ...(notes.length === 0 ? [] : ['', ...notes])].join('\n')
}
