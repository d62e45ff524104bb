import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { generatedPages } from '../../scripts/generate-docs.ts'
import { errorKinds } from '../../src/errors.ts'
import { packageRoot } from '../../src/package-root.ts'
import { settings } from '../../src/settings.ts'

const page = (name: string): string => readFileSync(join(packageRoot, 'docs', name), 'utf8')

/** Text of the page below the heading of a code, up to the next heading. */
const sectionOf = (code: string): string =>
  page('errors.md').split(`\n## ${code}\n`)[1]?.split('\n## ')[0]?.trim() ?? ''

const pages = await generatedPages()

describe('the documentation', () => {
  it.each(settings.map((setting) => setting.name))('names the setting %s', (name) => {
    expect(page('settings.md')).toContain(`| \`${name}\``)
  })

  it.each(Object.keys(errorKinds))('says what %s means before it says how it shows', (code) => {
    expect(sectionOf(code)).toMatch(/^[A-Z](?!xit status).+\n\nExit status \d/s)
  })

  it.each(pages)('is as `node scripts/generate-docs.ts` writes it: $path', ({ now, due }) => {
    expect(now).toBe(due)
  })
})
