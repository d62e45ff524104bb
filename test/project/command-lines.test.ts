/**
 * The command lines that README and docs show. All of them are ones that the program takes; those that can run offline
 * and come to an end are run, as printed, each page's in a folder of its own.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { buildProgram } from '../../src/cli/program.ts'
import { main } from '../../src/demo/processes.ts'
import { packageRoot } from '../../src/package-root.ts'

const text = (name: string): string => readFileSync(join(packageRoot, name), 'utf8')
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(packageRoot, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
]
const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(text('package.json')))

/** Command lines that are not run here, and why. What stands in neither list fails. */
const notRun: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^(?:export )?[A-Z_]+=/, 'sets a variable; what follows it is run with it'],
  [/pnpm@\S+ install\b/, 'installs packages over the network'],
  [/pnpm@\S+ test\b/, 'runs these tests'],
  [/pnpm@\S+ (?:vitest|types|format|lint|build|bench|run docs)\b/, 'works on the checkout itself'],
  [/pnpm@\S+ ingest \w+$/, "downloads a publisher's file"],
  [/ serve\b/, 'does not end by itself'],
  [/ schedule\b/, 'does not end by itself'],
  [/ watch\b/, 'does not end by itself'],
  [/^(?:claude|sqlite3|docker|curl) /, 'is another program'],
]

/** The words of `stichtag` in a line, however it is called; undefined where it is not. */
const wordsOf = (line: string): string[] | undefined => {
  const [, script, rest = ''] =
    /^(?:npx -y (?:--prefer-offline )?pnpm@\S+ |pnpm )(?:run )?([\w-]+)(.*)$/.exec(line) ?? []
  const own = /^node bin\/stichtag\.mjs ?(.*)$/.exec(scripts[script ?? ''] ?? '')
  const words = own === null ? /^stichtag\s+(.*)$/.exec(line)?.[1] : `${own[1]} ${rest}`
  return words
    ?.replace(/\s+#.*$/, '')
    .match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)
    ?.map((word) => word.replace(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double))
}

const isCommand = (line: string): boolean =>
  /^(?:stichtag |npx |pnpm |claude |sqlite3 |docker |curl |(?:export )?STICHTAG_\w+=)/.test(line)

/** Lines of the blocks that a shell would take, comments left out and continued lines joined. */
const linesOf = (page: string): string[] =>
  [...text(page).matchAll(/^```(\w*)\n(.*?)^```$/gms)].flatMap(([, language = '', block = '']) =>
    (['', 'sh', 'bash'].includes(language) ? block : '')
      .replaceAll(/\\\n\s*/g, '')
      .split('\n')
      .map((line) => line.replace(/\s+#.*$/, '').trim())
      .filter(isCommand),
  )

/** Calls in running text: `stichtag …`. */
const mentionsIn = (page: string): string[] =>
  [...text(page).matchAll(/`((?:stichtag|npx -y pnpm@[\d.]+)\s[^`]+)`/g)].map(([, span = '']) =>
    span.replaceAll(/\s+/g, ' '),
  )

/** What the program would not take of a call: an unknown command or unknown options. Placeholders are words like others. */
const refusedOf = (words: readonly string[]): readonly string[] => {
  const { commands } = buildProgram()
  const [name = '', ...rest] = words
  const command = commands.find((each) => each.name() === name)
  if (command === undefined) return /^[<-]/.test(name) || name === '…' ? [] : [name]
  return command.parseOptions(rest.filter((word) => word !== '…')).unknown
}

const reasonOf = (line: string): string | undefined => notRun.find(([pattern]) => pattern.test(line))?.[1]

describe.each(pages)('%s', (page) => {
  const lines = linesOf(page)
  const called = [...lines, ...mentionsIn(page)]

  it('shows no command line that the program would not take', () => {
    expect(called.flatMap((line) => refusedOf(wordsOf(line) ?? [])).filter((word) => word !== '')).toEqual([])
  })

  const run = lines.filter((line) => reasonOf(line) === undefined)
  if (run.length === 0) return
  const folder = mkdtempSync(join(tmpdir(), 'stichtag-page-'))
  prepare(folder)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.each(run)('runs as printed: %s', (line) => {
    const words = wordsOf(line)
    if (words === undefined) throw new Error(`${page}: neither run nor in the list of what is not: ${line}`)
    const env = { ...process.env, HOME: folder, STICHTAG_HOME: join(folder, 'home'), STICHTAG_LOG: 'silent' }
    const { status, stderr } = spawnSync(process.execPath, [main, ...words], { cwd: folder, env, encoding: 'utf8' })
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' })
  })
})

/** The files that pages speak of, in the folder that their lines are run in. */
function prepare(folder: string): void {
  const sample = join(packageRoot, 'data', 'offeneregister', '2026-11-01', 'de_companies_ocdata.jsonl.bz2')
  copyFileSync(sample, join(folder, 'companies.jsonl.bz2'))
  const pipelines = text('docs/pipelines.md')
  mkdirSync(join(folder, 'pipelines', 'wells'), { recursive: true })
  writeFileSync(join(folder, 'pipelines', 'wells', 'index.mjs'), /^```js\n(.*?)^```$/ms.exec(pipelines)?.[1] ?? '')
  writeFileSync(join(folder, 'wells.jsonl'), /^```json\n(.*?)^```$/ms.exec(pipelines)?.[1] ?? '')
  writeFileSync(join(folder, 'schema.mjs'), /^```js\n(.*?)^```$/ms.exec(text('docs/flowmcp.md'))?.[1] ?? '')
}

describe('the list of what is not run', () => {
  it('has a use for each entry but those for other programs', () => {
    const lines = pages.flatMap(linesOf)
    const idle = notRun.filter(([pattern]) => !lines.some((line) => pattern.test(line)))
    expect(idle.map(([pattern]) => pattern.source).filter((source) => !/watch|schedule|vitest/.test(source))).toEqual(
      [],
    )
  })

  it('hides no misspelt option or command', () => {
    expect(refusedOf(['ingest', 'x', '--smaple'])).toEqual(['--smaple'])
    expect(refusedOf(['igest'])).toEqual(['igest'])
  })
})
