/**
 * RESULTS.md: each row's last result stands between markers of its own, so that one row can be run again by itself; what
 * people write around them stays.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import type { Line } from './lines.ts'
import type { BenchRow, Size } from './row.ts'
import { markdownTable } from './table.ts'

export interface RowResult {
  readonly row: Pick<BenchRow, 'name' | 'title'>
  readonly size: Size
  readonly rounds: number
  readonly lines: readonly Line[]
  readonly at: Date
  readonly seconds: number
  /** Load average of the machine when the row began: above the number of cores, others were at work as well. */
  readonly load: number
}

const beginOf = (size: Size, name: string): string => `<!-- begin ${size} ${name} -->`
const endOf = (size: Size, name: string): string => `<!-- end ${size} ${name} -->`

/** The commit that was measured; a checkout that differs from it says so. */
const commit = (): string => {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { encoding: 'utf8', cwd: import.meta.dirname }).trim()
  try {
    const changed = git('status', '--porcelain', '--', '../src', '../pipelines') !== ''
    return `${git('rev-parse', '--short', 'HEAD')}${changed ? ' with changes' : ''}`
  } catch (error) {
    // No git, or an unpacked archive: the figures hold all the same.
    if (error instanceof Error) return 'of an unknown commit'
    throw error
  }
}

/** What the figures were taken on. */
export const machine = (): string => {
  const [first] = cpus()
  const gibibytes = Math.round(totalmem() / 2 ** 30)
  return `${cpus().length} cores (${first?.model.trim() ?? 'unknown'}), ${gibibytes} GiB, Linux ${release()}, Node ${process.version}`
}

const blockOf = ({ row, size, rounds, lines, at, seconds, load }: RowResult): string =>
  [
    beginOf(size, row.name),
    `#### ${row.title} (\`${row.name}\`)`,
    '',
    markdownTable(lines),
    '',
    `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC, rounds: ${rounds}, ${Math.round(seconds)} s in all, load at the beginning ` +
      `${load.toFixed(1)}, commit ${commit()}, ${machine()}.`,
    endOf(size, row.name),
  ].join('\n')

/** The text with a row's block replaced, or added at the end of its size's section. Pure. */
export const withBlock = (text: string, size: Size, name: string, block: string): string => {
  const begin = text.indexOf(beginOf(size, name))
  const end = endOf(size, name)
  if (begin >= 0) return `${text.slice(0, begin)}${block}${text.slice(text.indexOf(end, begin) + end.length)}`
  const section = `<!-- more ${size} -->`
  if (!text.includes(section)) throw new Error(`RESULTS.md has no line ${section}, before which new rows go`)
  return text.replace(section, () => `${block}\n\n${section}`)
}

/** Writes a row's result into the file. */
export const writeResult = (path: string, result: RowResult): void => {
  if (!existsSync(path)) throw new Error(`${path} does not exist`)
  writeFileSync(path, withBlock(readFileSync(path, 'utf8'), result.size, result.row.name, blockOf(result)))
}
