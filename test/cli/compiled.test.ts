import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { commandLine, packageVersion } from '../../src/package-root.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stichtag-compiled-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const version = (settings: NodeJS.ProcessEnv) =>
  spawnSync(process.execPath, [commandLine, '--version'], {
    env: { ...process.env, NODE_COMPILE_CACHE: undefined, NODE_DISABLE_COMPILE_CACHE: undefined, ...settings },
    encoding: 'utf8',
  }).stdout.trim()

describe('what Node compiled', () => {
  it("is kept in the person's own cache folder", () => {
    expect(version({ XDG_CACHE_HOME: folder })).toBe(packageVersion)
    expect(readdirSync(join(folder, 'stichtag', 'compiled'))).not.toEqual([])
  })

  it('is kept where Node is told to keep it', () => {
    expect(version({ XDG_CACHE_HOME: join(folder, 'not here'), NODE_COMPILE_CACHE: join(folder, 'here') })).toBe(
      packageVersion,
    )
    expect(readdirSync(folder)).toEqual(['here'])
  })

  it('is not kept, and nothing else is different, where it cannot be', () => {
    const file = join(folder, 'a file')
    writeFileSync(file, '')
    expect(version({ XDG_CACHE_HOME: file })).toBe(packageVersion)
    expect(version({ XDG_CACHE_HOME: folder, NODE_DISABLE_COMPILE_CACHE: '1' })).toBe(packageVersion)
    expect(existsSync(join(folder, 'stichtag'))).toBe(false)
  })
})
