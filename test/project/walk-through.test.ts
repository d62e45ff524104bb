/** A walk-through that docs print, done as it stands: files are put where the text says, and lines run by one shell. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { packageRoot } from '../../src/package-root.ts'

const text = (name: string): string => readFileSync(join(packageRoot, name), 'utf8')

interface Step {
  /** The file that the text before a block names (`as `x``); undefined for what a shell takes. */
  readonly file?: string
  readonly block: string
}

/** The steps of a page's section, in their order. */
const stepsOf = (section: string): Step[] =>
  [...section.matchAll(/([^`]*(?:`[^`\n]+`[^`]*)*)```(\w*)\n(.*?)^```$/gms)].map(
    ([, before = '', language, block = '']) => {
      if (language === 'sh') return { block }
      const file = /\bas `([\w./-]+)`[^`]*(?:`[^`]+`[^`]*)?$/.exec(before)?.[1]
      if (file === undefined) throw new Error(`the text does not say which file this is: ${block.slice(0, 60)}`)
      return { file, block }
    },
  )

const sectionOf = (page: string, heading: string): string =>
  page.split(/^## /m).find((section) => section.startsWith(`${heading}\n`)) ?? ''

describe('the command of a checkout', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'stichtag-walk-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const env = () => ({
    ...process.env,
    HOME: folder,
    STICHTAG_HOME: undefined,
    STICHTAG_LOG: 'warn',
    PATH: `${join(packageRoot, 'bin')}:${process.env.PATH}`,
  })
  const shell = (script: string) => spawnSync('sh', ['-e', '-c', script], { cwd: folder, env: env(), encoding: 'utf8' })

  it('is found by the shell from every folder, and takes signals itself', () => {
    expect(shell('stichtag --version').stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect(shell('ln -s "$(command -v stichtag)" linked && ./linked --version').stdout).toMatch(/^\d/)
    const stopped = shell(
      'stichtag schedule --json > begun & until [ -s begun ]; do sleep 0.05; done; kill $!; wait $!',
    )
    expect(stopped).toMatchObject({ status: 0 })
  })

  it('does what docs/pipelines.md prints for a first pipeline, from top to bottom', () => {
    const steps = stepsOf(sectionOf(text('docs/pipelines.md'), 'A first one'))
    expect(steps.map(({ file }) => file)).toEqual([undefined, 'pipelines/wells/index.mjs', 'wells.jsonl', undefined])
    const script = steps.map(({ file, block }) => {
      if (file === undefined) return block
      const given = join(folder, 'given', file)
      mkdirSync(dirname(given), { recursive: true })
      writeFileSync(given, block)
      return `cp given/${file} ${file}`
    })
    const { status, stdout, stderr } = shell(script.join('\n'))
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toContain('wells: published')
    expect(stdout).toContain('Musterstraße')
  })
})

describe('pages that say stichtag', () => {
  const pages = ['pipelines', 'gtfs', 'screening', 'serving', 'store', 'notifications', 'errors', 'flowmcp']
  const has = /export PATH="\$PWD\/bin:\$PATH"/

  it.each(pages.filter((page) => /`stichtag |^stichtag /m.test(text(`docs/${page}.md`))))(
    'docs/%s.md says at its top how to have it',
    (page) => {
      expect(text(`docs/${page}.md`).slice(0, 400)).toMatch(has)
    },
  )

  it('README.md says so too', () => {
    expect(text('README.md')).toMatch(has)
  })
})
