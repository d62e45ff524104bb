import { describe, expect, it } from 'vitest'
import { checkStatement } from '../../src/query/statement.ts'

describe('what a statement may do', () => {
  it.each([
    'SELECT 1',
    'select 1;',
    '-- a comment\nSELECT 1; ; -- another',
    '/* a */ WITH a AS (SELECT 1) SELECT * FROM a',
    'VALUES (1), (2)',
    'EXPLAIN SELECT 1',
    'EXPLAIN QUERY PLAN WITH a AS (SELECT 1) SELECT * FROM a',
    'SELECT created_at, updated_at FROM t',
    "SELECT replace(name, 'a', 'b') FROM t",
    "SELECT 'drop table t; ATTACH x'",
    'SELECT "delete" FROM [insert]',
    'SELECT "a;b" FROM t',
    'SELECT bytecode, dbstat FROM contracts',
    'SELECT s.a FROM stops_fts f JOIN stops s ON s.rowid = f.rowid WHERE stops_fts MATCH ? LIMIT ?',
    "WITH q AS (SELECT ? AS word) SELECT a FROM s LEFT JOIN t USING (id), q WHERE a LIKE '%' || q.word || '%' UNION ALL SELECT b FROM u",
    'SELECT a IS NOT DISTINCT FROM b, bytecode FROM t',
    'SELECT count(*), max(bytecode) FROM t GROUP BY a, bytecode ORDER BY a, bytecode LIMIT 1, 2',
    'SELECT * FROM t JOIN u ON (t.bytecode, 1) IN (bytecode, 2)',
    "SELECT value FROM t, json_each(t.list) JOIN json_tree('[]')",
    "SELECT * FROM pragma_table_info('t')",
    'SELECT m.name FROM sqlite_master m JOIN pragma_table_xinfo(m.name) p, pragma_index_list(m.name)',
    "SELECT 1 WHERE 'x' IN (SELECT name FROM pragma_foreign_key_list('t'))",
    "SELECT 'pragma_database_list', pragma_database_list FROM t",
  ])('lets %j read', (sql) => {
    expect(() => checkStatement(sql)).not.toThrow()
  })

  it.each([
    ['', 'no statement'],
    [' ; -- nothing', 'no statement'],
    ['SELECT 1; SELECT 2', 'more than one'],
    ["SELECT 1; ATTACH 'x' AS y", 'more than one'],
    ["ATTACH 'x' AS y", 'begins with ATTACH'],
    ['DETACH y', 'begins with DETACH'],
    ['PRAGMA database_list', 'begins with PRAGMA'],
    ["VACUUM INTO 'x'", 'begins with VACUUM'],
    ['/* SELECT */ DELETE FROM t', 'begins with DELETE'],
    ['CREATE TEMP TABLE x(y)', 'begins with CREATE'],
    ['EXPLAIN PRAGMA database_list', 'begins with PRAGMA'],
    ['EXPLAIN QUERY PLAN DELETE FROM t', 'begins with DELETE'],
    ['EXPLAIN', 'begins with nothing'],
    ['"SELECT" 1', 'begins with SELECT'],
    ["'SELECT' 1", 'begins with SELECT'],
    ['{{DYNAMIC_SQL}}', 'no SQL'],
    ["SELECT 'unterminated", 'no SQL'],
    ['SELECT 1 \0 ; DROP TABLE t', 'NUL'],
    ["SELECT load_extension('x')", 'load_extension()'],
    ['SELECT "Load_Extension"(\'x\')', 'Load_Extension()'],
    ["SELECT [readfile] /* */ ('x')", 'readfile()'],
    ["SELECT writefile('x', 'y')", 'writefile()'],
    ["SELECT edit('x')", 'edit()'],
    ["SELECT fts3_tokenizer('simple')", 'fts3_tokenizer()'],
  ])('refuses %j', (sql, why) => {
    expect(() => checkStatement(sql)).toThrow(
      expect.objectContaining({ code: 'STATEMENT_REFUSED', message: expect.stringContaining(why) }),
    )
  })

  it.each([
    'SELECT * FROM pragma_database_list',
    'SELECT * FROM PRAGMA_Database_List',
    'SELECT * FROM "pragma_database_list"',
    'SELECT * FROM `pragma_database_list`',
    'SELECT * FROM [pragma_database_list]',
    "SELECT * FROM 'pragma_database_list'",
    'SELECT * FROM main.pragma_database_list',
    'SELECT * FROM "main" . "pragma_database_list"',
    'SELECT * FROM/**/pragma_database_list',
    'SELECT * FROM t, pragma_database_list',
    'SELECT * FROM t AS a JOIN u ON a.x IN (1, 2), pragma_database_list',
    'SELECT * FROM t LEFT JOIN pragma_database_list USING (seq)',
    'SELECT * FROM (t, pragma_database_list)',
    'SELECT * FROM (t JOIN (u JOIN pragma_database_list))',
    'SELECT * FROM (SELECT * FROM pragma_database_list)',
    'SELECT 1 WHERE 1 IN pragma_database_list',
    "SELECT 1 WHERE 1 NOT IN 'pragma_database_list'",
    'SELECT 1 WHERE 1 IN main.pragma_database_list',
    'SELECT (SELECT file FROM pragma_database_list)',
    'WITH a AS (SELECT * FROM pragma_database_list) SELECT * FROM a',
    'SELECT * FROM (WITH a AS (SELECT 1) SELECT * FROM a, pragma_database_list)',
    'SELECT 1 UNION SELECT name FROM pragma_database_list',
    'VALUES ((SELECT file FROM pragma_database_list))',
    'SELECT max(x) OVER (ORDER BY a, b) FROM t, pragma_database_list',
    'EXPLAIN QUERY PLAN SELECT * FROM pragma_database_list',
    'SELECT a IS DISTINCT FROM b FROM t, pragma_database_list',
    'SELECT * FROM dbstat',
    'SELECT * FROM sqlite_dbpage',
    'SELECT * FROM sqlite_stmt',
    "SELECT * FROM bytecode('SELECT 1')",
    "SELECT * FROM tables_used('SELECT 1')",
    'SELECT * FROM fts5vocab',
    "SELECT * FROM fts3tokenize('simple')",
    "SELECT * FROM fsdir('/')",
  ])('does not show the machine or the process: %j', (sql) => {
    expect(() => checkStatement(sql)).toThrow(expect.objectContaining({ code: 'STATEMENT_REFUSED' }))
  })

  it('refuses a table-valued function that is not on the list, and names those that are', () => {
    expect(() => checkStatement("SELECT * FROM somewhere('x')")).toThrow(/somewhere\(…\).*json_each/)
  })

  it("lets the database's own tables be read, whatever their name, and full text ones be called", () => {
    const own = (name: string) => ['bytecode', 'company_fts'].includes(name)
    expect(() => checkStatement("SELECT * FROM bytecode, Company_FTS('siemens')", own)).not.toThrow()
  })
})
