import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { databaseCandidates } from '../../src/schema/databases.ts'
import type { DatabaseReference } from '../../src/schema/types.ts'

const roots = { schemaFile: '/schemas/a.mjs', globalRoot: '/global', projectRoot: '/here/.flowmcp' }

const tried = (reference: DatabaseReference): string[] => databaseCandidates(reference, roots).map(({ path }) => path)

describe('where a database is looked for', () => {
  it('is data, then resources, of the root its origin names', () => {
    expect(tried({ kind: 'origin', origin: 'global', file: 'a.db' })).toEqual([
      '/global/data/a.db',
      '/global/resources/a.db',
    ])
    expect(tried({ kind: 'origin', origin: 'project', file: 'a.db' })).toEqual([
      '/here/.flowmcp/data/a.db',
      '/here/.flowmcp/resources/a.db',
    ])
  })

  it('is beside the schema for inline databases', () => {
    expect(tried({ kind: 'origin', origin: 'inline', file: 'a.db' })).toEqual([
      '/schemas/a.db',
      '/schemas/resources/a.db',
      '/schemas/data/a.db',
    ])
  })

  it('is relative to the schema, then to the working directory, for a path alone', () => {
    expect(tried({ kind: 'path', path: './data/a.db' })).toEqual(['/schemas/data/a.db', '/here/data/a.db'])
  })

  it('is as written for an absolute path', () => {
    expect(tried({ kind: 'path', path: '/opt/a.db' })).toEqual(['/opt/a.db'])
  })

  it('is the home folder for ~, and the global root for the store in it', () => {
    expect(tried({ kind: 'path', path: '~/a.db' })).toEqual([join(homedir(), 'a.db')])
    expect(tried({ kind: 'path', path: '~/.flowmcp/data/a.db' })).toEqual([
      '/global/data/a.db',
      '/global/resources/a.db',
      join(homedir(), '.flowmcp/data/a.db'),
    ])
  })

  it('lists no path twice', () => {
    const here = { ...roots, schemaFile: '/here/a.mjs' }
    const [first, ...more] = databaseCandidates({ kind: 'path', path: 'a.db' }, here)
    expect([first?.path, more]).toEqual(['/here/a.db', []])
  })
})

describe('where a database is looked for, as hosts are told', () => {
  const shown = (reference: DatabaseReference, globalRoot = '/global'): string[] =>
    databaseCandidates(reference, { ...roots, globalRoot }).map((candidate) => candidate.shown)

  it('names no folder of the machine that the schema does not', () => {
    const references: DatabaseReference[] = [
      { kind: 'origin', origin: 'global', file: 'a.db' },
      { kind: 'origin', origin: 'project', file: 'a.db' },
      { kind: 'origin', origin: 'inline', file: 'a.db' },
      { kind: 'path', path: './data/a.db' },
      { kind: 'path', path: '~/.flowmcp/data/a.db' },
      { kind: 'path', path: '~/a.db' },
    ]
    expect(references.map((reference) => shown(reference))).toEqual([
      ['$STICHTAG_HOME/data/a.db', '$STICHTAG_HOME/resources/a.db'],
      ['.flowmcp/data/a.db', '.flowmcp/resources/a.db'],
      ["(the schema's folder)/a.db", "(the schema's folder)/resources/a.db", "(the schema's folder)/data/a.db"],
      ["(the schema's folder)/data/a.db", '(the working folder)/data/a.db'],
      ['$STICHTAG_HOME/data/a.db', '$STICHTAG_HOME/resources/a.db', '~/.flowmcp/data/a.db'],
      ['~/a.db'],
    ])
  })

  it('calls the global root as FlowMCP does where it is at its usual place', () => {
    const usual = join(homedir(), '.flowmcp')
    expect(shown({ kind: 'origin', origin: 'global', file: 'a.db' }, usual)).toEqual([
      '~/.flowmcp/data/a.db',
      '~/.flowmcp/resources/a.db',
    ])
  })
})
