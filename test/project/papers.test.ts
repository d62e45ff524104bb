import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { packageRoot } from '../../src/package-root.ts'

const text = (name: string): string => readFileSync(join(packageRoot, name), 'utf8')

const papers = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'data/offeneregister/README.md'],
  ...readdirSync(join(packageRoot, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
]

/** Not in package.json: pnpm 12 then keeps itself in the lockfile, and a frozen install of a fresh clone fails. */
const [, packageManager] = /npx -y (\S+)/.exec(text('.ci/run')) ?? []

const { scripts, version } = z
  .object({ scripts: z.record(z.string(), z.string()), version: z.string() })
  .parse(JSON.parse(text('package.json')))

/** Links to files of ours, from the folder of the paper. */
const brokenLinks = (paper: string, content: string): string[] =>
  [...content.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !existsSync(join(packageRoot, dirname(paper), target)))

/** Scripts that a text runs as `pnpm <script>`, with any version of pnpm. */
const pnpmScripts = (content: string): string[] =>
  [...content.matchAll(/\bpnpm(?:@[\d.]+)?(?: run)? ([a-z]+)\b/g)].map(([, script = '']) => script)

describe('the papers', () => {
  it.each(papers)('%s links to files that exist', (paper) => {
    expect(brokenLinks(paper, text(paper))).toEqual([])
  })

  it('would be caught with a link to nowhere', () => {
    expect(brokenLinks('docs/x.md', '[a](uris.md) [b](nowhere.md#x) [c](https://example.org)')).toEqual(['nowhere.md'])
  })

  it.each(papers)('%s runs scripts that package.json has', (paper) => {
    const own = ['install', 'exec']
    expect(pnpmScripts(text(paper)).filter((script) => !own.includes(script) && scripts[script] === undefined)).toEqual(
      [],
    )
  })

  it.each(papers)('%s names the package manager that .ci/run uses', (paper) => {
    const named = [...text(paper).matchAll(/\bpnpm@[\d.]+\b/g)].map(([name]) => name)
    expect(named.filter((name) => name !== packageManager)).toEqual([])
  })

  it('all pages of docs are reached from the README, by however many links', () => {
    const reached = new Set(['README.md'])
    for (const page of reached) {
      for (const [, target = ''] of text(page).matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+\.md)(?:#[^)]*)?\)/g)) {
        const linked = join(dirname(page), target)
        if (papers.includes(linked)) reached.add(linked)
      }
    }
    const pages = papers.filter((paper) => paper.startsWith('docs'))
    expect(pages.filter((page) => !reached.has(page))).toEqual([])
  })

  it('the changelog has the version of package.json', () => {
    expect(text('CHANGELOG.md')).toMatch(new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\]`, 'm'))
  })
})

describe('the workflow', () => {
  it('checks out, sets up Node and runs what anybody can run', () => {
    const workflow = z
      .object({
        jobs: z.record(
          z.string(),
          z.object({ steps: z.array(z.object({ uses: z.string().optional(), run: z.string().optional() })) }),
        ),
      })
      .parse(parse(text('.github/workflows/ci.yml')))
    const steps = Object.values(workflow.jobs).flatMap((job) => job.steps)
    expect(steps.map((step) => step.run ?? step.uses?.split('@')[0])).toEqual([
      'actions/checkout',
      'actions/setup-node',
      'bash .ci/run',
    ])
  })
})
