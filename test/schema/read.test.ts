import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findSchemaFiles, readSchemaFile } from '../../src/schema/read.ts'

const scratchFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'stichtag-schema-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

describe('schema files', () => {
  it('are read', () => {
    const file = join(scratchFolder(), 'a.mjs')
    writeFileSync(file, "export const main = { namespace: 'a' }")
    expect(readSchemaFile(file)).toMatchObject({ file, namespace: 'a' })
  })

  it('are never run', () => {
    const folder = scratchFolder()
    const file = join(folder, 'a.mjs')
    const trace = join(folder, 'trace')
    writeFileSync(
      file,
      `const fs = process.getBuiltinModule('node:fs')
      fs.writeFileSync(${JSON.stringify(trace)}, '')
      export const main = { namespace: 'a' }`,
    )
    expect(() => readSchemaFile(file)).toThrow(expect.objectContaining({ code: 'SCHEMA_INVALID' }))
    expect(existsSync(trace)).toBe(false)
  })

  it('that are not there are not found', () => {
    expect(() => readSchemaFile('/nowhere/a.mjs')).toThrow(expect.objectContaining({ code: 'FILE_NOT_FOUND' }))
    expect(() => findSchemaFiles('/nowhere')).toThrow(expect.objectContaining({ code: 'FILE_NOT_FOUND' }))
  })

  it('are found in a folder and those within, sorted, but not in node_modules', () => {
    const folder = scratchFolder()
    for (const inner of ['b/c', 'node_modules/x', '.hidden']) mkdirSync(join(folder, inner), { recursive: true })
    for (const file of ['z.mjs', 'a.js', 'b/c/y.mjs', 'node_modules/x/n.mjs', '.hidden/h.mjs']) {
      writeFileSync(join(folder, file), '')
    }
    symlinkSync(join(folder, 'z.mjs'), join(folder, 'link.mjs'))
    symlinkSync(folder, join(folder, 'b', 'circle'))
    expect(findSchemaFiles(folder)).toEqual(['b/c/y.mjs', 'link.mjs', 'z.mjs'].map((file) => join(folder, file)))
  })
})
