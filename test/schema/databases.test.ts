import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { databaseCandidates } from '../../src/schema/databases.ts'
import type { DatabaseReference } from '../../src/schema/types.ts'

const tried = (reference: DatabaseReference): string[] =>
  databaseCandidates(reference, { schemaFile: '/schemas/a.mjs', globalRoot: '/global', projectRoot: '/here/.flowmcp' })

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
    const roots = { schemaFile: '/here/a.mjs', globalRoot: '/global', projectRoot: '/here/.flowmcp' }
    expect(databaseCandidates({ kind: 'path', path: 'a.db' }, roots)).toEqual(['/here/a.db'])
  })
})
