import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { codeRoot } from '../../src/package-root.ts'
import { findPipelines, loadPipeline, pipelineFolders } from '../../src/pipeline/discover.ts'
import { startScript } from '../store/child.ts'

let work: string

beforeEach(() => {
  // Modules are loaded once per path: each test has its own.
  work = mkdtempSync(join(tmpdir(), 'stichtag-pipelines-'))
})
afterEach(() => {
  rmSync(work, { recursive: true, force: true })
  vi.unstubAllEnvs()
})

/** A pipeline as somebody writes it who has installed nothing. */
const ownPipeline = (id: string, title = 'My own'): string => `
export default (kit) => kit.definePipeline({
  id: '${id}', title: '${title}', description: 'x', publisher: 'me', homepage: 'https://example.org/',
  licence: { name: 'CC0', url: 'https://example.org/', attribution: 'me' },
  database: '${id}.db', schedule: { cron: '0 4 * * *', timeZone: 'UTC' },
  sources: [{ name: 'a.jsonl', url: 'https://example.org/a.jsonl', format: { type: 'jsonl' } }],
  tables: { t: { description: 'x', columns: { id: 'TEXT' }, key: ['id'] } },
  map: (record, context) => context.emit('t', { id: kit.fields(record, context).requiredText('id') }),
})`

const write = (text: string, ...path: string[]): void => {
  mkdirSync(join(work, ...path.slice(0, -1)), { recursive: true })
  writeFileSync(join(work, ...path), text)
}

const load = (dataset: string, ...folders: string[]) =>
  loadPipeline(
    dataset,
    folders.map((folder) => join(work, folder)),
  )

const invalid = (words: string): unknown =>
  expect.objectContaining({ code: 'PIPELINE_INVALID', message: expect.stringContaining(words) })

describe('pipelines', () => {
  it('are looked for in the package, then in the global root, then in the project', () => {
    vi.stubEnv('STICHTAG_HOME', '/global')
    expect(pipelineFolders('/project')).toEqual([
      join(codeRoot, 'pipelines'),
      '/global/pipelines',
      '/project/pipelines',
    ])
  })

  it('of the same id in a later folder win', async () => {
    write(ownPipeline('mine', 'weak'), 'package', 'mine', 'index.mjs')
    write(ownPipeline('mine', 'strong'), 'project', 'mine', 'index.mjs')
    write(ownPipeline('other'), 'package', 'other', 'index.mjs')
    expect((await load('mine', 'package', 'project')).definition.title).toBe('strong')
    expect((await load('mine', 'package', 'nowhere')).definition.title).toBe('weak')
    expect([...findPipelines([join(work, 'package'), join(work, 'project')]).keys()]).toEqual(['mine', 'other'])
  })

  it('are folders with an index file; nothing else is', () => {
    write(ownPipeline('a'), 'p', 'a', 'index.ts')
    write(ownPipeline('b'), 'p', 'b', 'index.js')
    write('nothing', 'p', 'c', 'README.md')
    write(ownPipeline('d'), 'p', 'index.mjs')
    symlinkSync(join(work, 'p', 'a'), join(work, 'p', 'linked'))
    expect([...findPipelines([join(work, 'p')]).keys()]).toEqual(['a', 'b', 'linked'])
  })

  it('include our own', async () => {
    const { definition, folder } = await loadPipeline('offeneregister', [join(codeRoot, 'pipelines')])
    expect(definition.database).toBe('openregister.db')
    expect(folder).toBe(join(codeRoot, 'pipelines', 'offeneregister'))
  })
})

describe('a pipeline of one’s own', () => {
  it('loads from any folder, in JavaScript and TypeScript, and needs no install', async () => {
    write(ownPipeline('mine'), 'p', 'mine', 'index.mjs')
    write(`type Id = string\n${ownPipeline('typed')}`, 'p', 'typed', 'index.ts')
    expect((await load('mine', 'p')).definition.id).toBe('mine')
    expect((await load('typed', 'p')).definition.id).toBe('typed')
  })

  it('loads with Node alone, whose own way of reading TypeScript it is', async () => {
    write(ownPipeline('mine'), 'p', 'mine', 'index.mjs')
    write(
      `import type { Kit } from 'nowhere'\n${ownPipeline('typed').replace('(kit)', '(kit: Kit)')}`,
      'p',
      'typed',
      'index.ts',
    )
    write('export default (kit) => {', 'p', 'wrong', 'index.mjs')
    const loading = startScript(new URL('./load-pipelines.ts', import.meta.url), [
      join(work, 'p'),
      'mine',
      'typed',
      'wrong',
    ])
    expect([await loading.line(), await loading.line(), await loading.line()]).toEqual([
      'mine',
      'typed',
      expect.stringMatching(/^PIPELINE_INVALID .*index\.mjs:1: cannot be loaded/),
    ])
  })

  it('has a fingerprint that changes with its files, and with no other', async () => {
    write(ownPipeline('mine'), 'p', 'mine', 'index.mjs')
    write('export const one = 1', 'p', 'mine', 'map', 'part.mjs')
    write('notes', 'p', 'mine', 'README.md')
    const { fingerprint } = await load('mine', 'p')
    cpSync(join(work, 'p'), join(work, 'copy'), { recursive: true })
    expect((await load('mine', 'copy')).fingerprint).toBe(fingerprint)
    write('other notes', 'p', 'mine', 'README.md')
    expect((await load('mine', 'p')).fingerprint).toBe(fingerprint)
    write('export const one = 2', 'p', 'mine', 'map', 'part.mjs')
    expect((await load('mine', 'p')).fingerprint).not.toBe(fingerprint)
  })

  it('that cannot be read or run is told by its line', async () => {
    write(`// a comment\n${ownPipeline('mine').replace('title:', 'title::')}`, 'p', 'mine', 'index.mjs')
    write('export default (kit) => {\n  const x = 1\n  return nothing.at(all)\n}', 'p', 'yours', 'index.mjs')
    write(`export { default } from './map.mjs'`, 'p', 'theirs', 'index.mjs')
    write('export default (', 'p', 'theirs', 'map.mjs')
    await expect(load('mine', 'p')).rejects.toThrow(/index\.mjs:\d+: cannot be loaded/)
    await expect(load('yours', 'p')).rejects.toThrow(/index\.mjs:3: nothing is not defined/)
    await expect(load('theirs', 'p')).rejects.toThrow(/index\.mjs: cannot be loaded/)
  })

  it('that does not exist is an error that lists those that do, and where it was looked for', async () => {
    write(ownPipeline('mine'), 'p', 'mine', 'index.mjs')
    await expect(load('yours', 'p')).rejects.toThrow(
      expect.objectContaining({
        code: 'UNKNOWN_DATASET',
        message: `no pipeline yours. There are: mine. Looked for in ${join(work, 'p')}.`,
      }),
    )
    await expect(load('yours', 'nowhere')).rejects.toThrow('There are: none.')
  })

  it.each([
    ['has a syntax error', 'export default (kit) => {', 'cannot be loaded'],
    ['imports what is not there', "import 'not-installed'\nexport default () => 1", 'cannot be loaded'],
    ['throws when it is loaded', "throw new Error('on load')", 'on load'],
    ['exports no function', 'export default { id: "mine" }', 'must be a function'],
    ['exports nothing', '', 'must be a function'],
    ['has the id of another', ownPipeline('yours'), 'its id is yours, but its folder is mine'],
    ['throws when it is called', "export default () => { throw new TypeError('called') }", 'called'],
    ['gives nothing back', 'export default () => undefined', 'definition:'],
    ['promises its definition', ownPipeline('mine').replace('(kit) =>', 'async (kit) =>'), 'title:'],
    ['gives back what it never gave to the kit', "export default () => ({ id: 'mine' })", 'title:'],
  ])('that %s is an error that names the file', async (_, text, words) => {
    write(text, 'p', 'mine', 'index.mjs')
    await expect(load('mine', 'p')).rejects.toThrow(invalid(words))
    await expect(load('mine', 'p')).rejects.toThrow(join('p', 'mine', 'index.mjs'))
  })

  it('that is wrong does no harm to others', async () => {
    write('nonsense {', 'p', 'wrong', 'index.mjs')
    write(ownPipeline('mine'), 'p', 'mine', 'index.mjs')
    expect((await load('mine', 'p')).definition.id).toBe('mine')
  })
})
