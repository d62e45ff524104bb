/**
 * One schema in each of FlowMCP's dialects, each over a file of wells at another of the places that dialects know. All
 * ask the same of it: wells of a place, so many at most.
 */
import type { Dialect } from '../../src/schema/types.ts'

export interface Example {
  readonly dialect: Dialect
  readonly namespace: string
  /** The schema file's text. */
  readonly text: string
  /** Where its database lies: in the global root, or in the folder of the schema. */
  readonly database: { readonly in: 'global root' | 'schema folder'; readonly path: string }
  /** What of it is not served, in the words of a finding. */
  readonly notServed: readonly string[]
}

const byPlace = 'SELECT id, place, works FROM well WHERE place = ? AND works = ? ORDER BY id LIMIT ?'
const tables = "SELECT name, sql FROM sqlite_master WHERE type='table'"

const output = `{ mimeType: 'application/json', schema: { type: 'array', items: { type: 'object', properties: {
  id: { type: 'number' }, place: { type: 'string' }, works: { type: 'number' } } } } }`

const positioned = `[
  { position: { key: 'place', value: '{{USER_PARAM}}' }, z: { primitive: 'string()', options: ['min(2)', 'max(40)'] } },
  { position: { key: 'works', value: '1' }, z: { primitive: 'number()', options: [] } },
  { position: { key: 'most', value: '{{USER_PARAM}}' }, z: { primitive: 'number()', options: ['optional()', 'default(2)', 'min(1)', 'max(5)'] } }
]`

const inSpecification = (dialect: Dialect, namespace: string, resource: string, more = '', queries = ''): string => `
export const main = {
  namespace: '${namespace}',
  name: 'Wells',
  description: 'Wells, as ${dialect} writes it.',
  version: '${dialect === '4.x' ? '4.3.0' : '3.0.0'}',
  root: 'local://${namespace}',
  requiredServerParams: [],
  headers: {},
  ${more}
  resources: {
    wells: {
      source: 'sqlite',
      ${resource}
      description: 'Wells and where they are.',
      queries: {
        getSchema: { sql: "${tables}", description: 'The tables.', parameters: [], output: ${output}, tests: [{ _description: 'All' }] },
        byPlace: {
          sql: '${byPlace}',
          description: 'Wells of a place that work.',
          parameters: ${positioned},
          output: ${output},
          tests: [{ _description: 'Of Musterstadt', place: 'Musterstadt' }, { _description: 'One', place: 'Musterstadt', most: 1 }]
        },
        ${queries}
      }
    }
  }
}
`

const freeSql = `freeQuery: {
          sql: '{{DYNAMIC_SQL}}',
          description: 'Anything else about wells.',
          parameters: [
            { position: { key: 'sql', value: '{{USER_PARAM}}' }, z: { primitive: 'string()', options: ['min(6)'] } },
            { position: { key: 'limit', value: '{{USER_PARAM}}' }, z: { primitive: 'number()', options: ['optional()', 'default(100)', 'max(1000)'] } }
          ],
          output: ${output},
          tests: [{ _description: 'How many', sql: 'SELECT count(*) AS n FROM well', limit: 1 }]
        }`

export const examples: readonly Example[] = [
  {
    dialect: 'D-docs',
    namespace: 'docs',
    text: `
export const main = {
  namespace: 'docs', name: 'Wells', description: 'Wells, as the documentation writes it.', version: '3.0.0', root: '', tools: {},
  resources: {
    wells: {
      source: 'sqlite', database: 'docs.db', origin: 'global', description: 'Wells and where they are.',
      queries: {
        getSchema: { sql: "${tables}", description: 'The tables.', parameters: {}, output: { columns: ['name', 'sql'] } },
        byPlace: {
          sql: '${byPlace}',
          description: 'Wells of a place that work.',
          parameters: {
            place: { type: 'string', required: true, description: 'The place.', min: 2, max: 40 },
            works: { type: 'boolean', value: true, description: 'Whether it works.' },
            most: { type: 'number', required: false, default: 2, min: 1, max: 5, description: 'Most wells.' }
          },
          output: { columns: ['id', 'place', 'works'] }
        }
      }
    }
  }
}`,
    database: { in: 'global root', path: 'data/docs.db' },
    notServed: [],
  },
  {
    dialect: 'D-flat',
    namespace: 'flat',
    text: `
export const main = {
  namespace: 'flat', name: 'Wells', description: 'Wells, as the older documentation writes it.', version: '3.0.0', root: '', tools: {},
  resources: {
    wells: {
      source: 'sqlite', database: './flat.db', description: 'Wells and where they are.',
      queries: {
        byPlace: {
          sql: '${byPlace}',
          description: 'Wells of a place that work.',
          parameters: [
            { key: 'place', type: 'string', description: 'The place.', required: true, min: 2, max: 40 },
            { key: 'works', type: 'number', description: 'Whether it works.', value: 1 },
            { key: 'most', type: 'number', description: 'Most wells.', required: false, default: 2, min: 1, max: 5 }
          ]
        }
      }
    }
  }
}`,
    database: { in: 'schema folder', path: 'flat.db' },
    notServed: [],
  },
  {
    dialect: '3.0a',
    namespace: 'older',
    text: inSpecification('3.0a', 'older', "database: './data/older.db',", "routes: { nearest: { method: 'GET' } },"),
    database: { in: 'schema folder', path: 'data/older.db' },
    notServed: ['routes: nearest'],
  },
  {
    dialect: '3.0b',
    namespace: 'lifecycle',
    text: inSpecification(
      '3.0b',
      'lifecycle',
      "lifecycle: 'transient', database: '~/.flowmcp/data/lifecycle.db',",
      'tools: {},',
      freeSql,
    ),
    database: { in: 'global root', path: 'data/lifecycle.db' },
    notServed: [],
  },
  {
    dialect: '3.1',
    namespace: 'modes',
    text: `${inSpecification('3.1', 'modes', "mode: 'in-memory', origin: 'global', name: 'modes-wells.db',", 'tools: {},')}
export const handlers = ({ sharedLists, libraries }) => ({
  wells: { byPlace: { postRequest: async ({ response }) => ({ response: response.map((row) => ({ ...row, map: \`https://example.org/\${row.id}\` })) }) } }
})`,
    database: { in: 'global root', path: 'resources/modes-wells.db' },
    notServed: ['handlers: functions are not run'],
  },
  {
    dialect: '4.x',
    namespace: 'later-wells',
    text: inSpecification(
      '4.x',
      'later-wells',
      "mode: 'in-memory', origin: 'inline', name: 'later-wells.db',",
      "tools: { nearest: { method: 'GET', path: '/x' } }, prompts: { about: {} }, skills: {},",
    ),
    database: { in: 'schema folder', path: 'resources/later-wells.db' },
    notServed: ['tools: nearest', 'prompts: about'],
  },
]

/** The file of wells, as SQL that makes it: a table with a key, a full-text index over it, one without a key. */
export const wellsSql = `
  CREATE TABLE well(id INTEGER PRIMARY KEY, place TEXT, works INTEGER, note TEXT);
  INSERT INTO well VALUES (1, 'Musterstadt', 1, 'Trinkwasser am Markt'), (2, 'Musterstadt', 0, 'Zierbrunnen'),
    (3, 'Musterstadt', 1, 'Pumpe im Park'), (4, 'Musterstadt', 1, 'Schlossbrunnen'), (5, 'Beispieldorf', 1, 'Dorfbrunnen');
  CREATE VIRTUAL TABLE well_fts USING fts5(place, note, content='well', content_rowid='id');
  INSERT INTO well_fts(well_fts) VALUES ('rebuild');
  CREATE TABLE visit(day TEXT, visitors INTEGER);
  INSERT INTO visit VALUES ('2026-10-01', 7);`
