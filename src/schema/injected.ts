/** Queries that every database gets beside those its schema defines (FlowMCP 3.1 and 4.x). */
import type { SchemaQuery } from './types.ts'

/** What stands for SQL in a query whose statement the caller writes. */
export const dynamicSql = '{{DYNAMIC_SQL}}'

/** Characters of the longest statement that is taken. */
const longestStatement = 100_000

/**
 * Any reading statement, written by the caller: `boundValues` of it gives the statement and the number of rows, not values
 * of placeholders. FlowMCP 4 calls it `runSql`.
 */
export const freeQuery: SchemaQuery = {
  name: 'freeQuery',
  description:
    'Runs one reading statement of your own on this database (SQLite, read-only): SELECT, WITH, VALUES, or EXPLAIN of one of these. Read the tables with getSchema first.',
  sql: dynamicSql,
  parameters: [
    {
      name: 'sql',
      type: 'string',
      description:
        'One SQLite statement that begins with SELECT, WITH, VALUES, EXPLAIN or EXPLAIN QUERY PLAN. No parameters, no second statement.',
      required: true,
      min: 1,
      max: longestStatement,
    },
    {
      name: 'limit',
      type: 'number',
      description:
        'How many rows to return at most, 1 to 1000. Use LIMIT and OFFSET in the statement to page: `note` says where its own LIMIT is reached.',
      required: false,
      default: 100,
      min: 1,
      max: 1000,
    },
  ],
}

/** The other name of {@link freeQuery}. */
export const runSqlName = 'runSql'

// The tables in which FTS5 keeps an index say nothing to those who query it.
const isShown = `m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND NOT EXISTS (
    SELECT 1 FROM sqlite_master f WHERE f.sql LIKE 'CREATE VIRTUAL TABLE%' AND f.name <> m.name
      AND m.name IN (f.name || '_data', f.name || '_idx', f.name || '_content', f.name || '_docsize', f.name || '_config'))`

/** Columns of all tables and views, in the shape FlowMCP 4 gives them. */
export const describeTablesQuery: SchemaQuery = {
  name: 'describeTables',
  description: 'Lists the tables and views of this database with their columns and types.',
  sql: `SELECT m.name AS table_name, p.name AS "column", p.type
  FROM sqlite_master m JOIN pragma_table_info(m.name) p
  WHERE m.type IN ('table', 'view') AND ${isShown} ORDER BY m.name, p.cid`,
  parameters: [],
  columns: ['table_name', 'column', 'type'],
}

/** The statements that made all tables and views, for schemas that define no getSchema. */
export const getSchemaQuery: SchemaQuery = {
  name: 'getSchema',
  description: 'Returns the tables and views of this database as the statements that created them.',
  sql: `SELECT m.name, m.sql FROM sqlite_master m WHERE m.type IN ('table', 'view') AND ${isShown} ORDER BY m.name`,
  parameters: [],
  columns: ['name', 'sql'],
}
