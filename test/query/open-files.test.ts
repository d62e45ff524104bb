import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { OpenFiles } from '../../src/query/open-files.ts'
import { makeDatabase, scratchDatabase, scratchFolder } from './scratch.ts'

describe('open files', () => {
  it('are opened once', () => {
    const path = scratchDatabase('CREATE TABLE t(a)')
    const files = new OpenFiles()
    expect(files.at(path)).toBe(files.at(path))
  })

  it('are opened anew when another file took their place', () => {
    const folder = scratchFolder()
    const path = makeDatabase(join(folder, 'a.db'), 'CREATE TABLE t(a); INSERT INTO t VALUES (1)')
    const files = new OpenFiles()
    expect(files.at(path).prepare('SELECT a FROM t').all()).toEqual([[1n]])
    renameSync(makeDatabase(join(folder, 'b.db'), 'CREATE TABLE t(a); INSERT INTO t VALUES (2)'), path)
    expect(files.at(path).prepare('SELECT a FROM t').all()).toEqual([[2n]])
  })

  it('that are gone are missing, not the old content', () => {
    const path = scratchDatabase('CREATE TABLE t(a)')
    const files = new OpenFiles()
    files.at(path)
    rmSync(path)
    expect(() => files.at(path)).toThrow(expect.objectContaining({ code: 'DATABASE_MISSING' }))
  })

  it('are closed once they are deleted, so that their space is freed', () => {
    const path = scratchDatabase('CREATE TABLE t(a)')
    const files = new OpenFiles()
    const statement = files.at(path).prepare('SELECT a FROM t')
    rmSync(path)
    files.releaseStale()
    expect(() => statement.all()).toThrow(/not open/)
  })

  it('cannot be written to', () => {
    const file = new OpenFiles().at(scratchDatabase('CREATE TABLE t(a)'))
    expect(() => file.prepare('INSERT INTO t VALUES (1)').run()).toThrow(/readonly/)
  })

  it('know their own tables and views', () => {
    const file = new OpenFiles().at(scratchDatabase('CREATE TABLE Company(a); CREATE VIEW v AS SELECT 1'))
    expect(['company', 'v', 'w'].map((name) => file.isOwnTable(name))).toEqual([true, true, false])
  })

  it('know whether a statement gives the same each time, by what their views compute as well', () => {
    const file = new OpenFiles().at(
      scratchDatabase("CREATE TABLE t(a); CREATE VIEW Same AS SELECT * FROM t; CREATE VIEW now AS SELECT date('now')"),
    )
    const tables = ['t', 'same', 'now']
    expect(tables.map((name) => file.isRepeatable(`SELECT * FROM ${name}`))).toEqual([true, true, false])
  })

  it.each(['pragma_database_list', 'pragma_compile_options', 'dbstat'])(
    'do not give %s away, even through a view of their own',
    (table) => {
      const file = new OpenFiles().at(scratchDatabase(`CREATE VIEW harmless AS SELECT * FROM ${table}`))
      expect(() => file.prepare('SELECT * FROM harmless').all()).toThrow(/not available|unsafe use/)
      expect(() => file.prepare(`SELECT * FROM ${table}`).all()).toThrow('not available')
    },
  )
})
