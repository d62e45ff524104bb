/** Statements that would take all time, all memory, or more than SQLite or an answer can hold. */
import type { Attempt } from './attempt.ts'
import { all } from './statement-attempts.ts'

const endless = 'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c)'
const nested = (depth: number, open: string, inner: string, close: string): string =>
  `${open.repeat(depth)}${inner}${close.repeat(depth)}`
const times = (count: number, item: (index: number) => string, separator: string): string =>
  Array.from({ length: count }, (_, index) => item(index)).join(separator)

/** Time: statements that would run for hours. */
const slow = [
  ...all(
    'timed out',
    `${endless} SELECT count(*) FROM c`,
    `${endless} SELECT n FROM c WHERE n < 0`,
    `${endless} SELECT max(n) FROM c`,
    `SELECT 1 WHERE EXISTS (${endless} SELECT 1 FROM c WHERE n < 0)`,
    `SELECT (${endless} SELECT count(*) FROM c) FROM company`,
    `VALUES ((${endless} SELECT count(*) FROM c))`,
    'SELECT count(*) FROM company a, company b, company c, company d, company e, company f',
    'SELECT count(*) FROM officer a JOIN officer b JOIN officer c JOIN officer d JOIN officer e ON 1',
    'SELECT count(*) FROM sqlite_schema a, sqlite_schema b, sqlite_schema c, sqlite_schema d, sqlite_schema e, sqlite_schema f, sqlite_schema g',
    `SELECT count(*) FROM company, json_each('[${times(500, () => '1', ',')}]') a, json_each(a.value) b, company c, company d, company e, company f`,
    `${endless} SELECT sum('${'a'.repeat(5000)}' LIKE '${times(60, () => '%a', '')}%b') FROM c`,
    `${endless} SELECT sum('${'a'.repeat(5000)}' GLOB '${times(60, () => '*a', '')}*b') FROM c`,
    `SELECT count(*) FROM company_fts a, company_fts b, company_fts c, company_fts d, company_fts e, company_fts f`,
    'SELECT count(*) FROM companies a, companies b, companies c, companies d, companies e, companies f',
    "WITH RECURSIVE x(i, s) AS (SELECT 1, 'a' UNION ALL SELECT i + 1, substr(s || s, 1, 1000) FROM x) SELECT count(*) FROM x",
  ),
]

/** Memory: statements that would fill it. */
const big = [
  ...all(
    'stopped',
    `${endless} SELECT n FROM c ORDER BY n % 7, n`,
    `${endless} SELECT group_concat(n) FROM c`,
    `${endless} SELECT json_group_array(n) FROM c`,
    `${endless} SELECT count(DISTINCT n) FROM c`,
    `${endless} SELECT n, count(*) FROM c GROUP BY n`,
    'WITH RECURSIVE c(n, s) AS (SELECT 1, randomblob(1000) UNION SELECT n + 1, randomblob(1000) FROM c) SELECT count(*) FROM c',
    `${endless} SELECT sum(n) OVER (ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM c`,
    'SELECT length(randomblob(500000000))',
    'SELECT length(randomblob(999999999))',
    "SELECT printf('%.*c', 2147483647, 'x')",
    'SELECT group_concat(hex(zeroblob(10000))) FROM company a, company b',
    'SELECT length(hex(randomblob(450000000)))',
    "SELECT length(printf('%.*c', 450000000, 'x') || 'y')",
    "SELECT length(replace(hex(zeroblob(6000000)), '0', '0123456789012345678901234567890123456789'))",
    `${endless} SELECT a.n FROM c a, c b ORDER BY a.n + b.n`,
  ),
  ...all(
    'failed',
    'SELECT zeroblob(2147483647)',
    'SELECT randomblob(99999999999)',
    "SELECT printf('%2147483647d', 1)",
    'SELECT zeroblob(50000000)',
    'SELECT hex(zeroblob(5000000))',
  ),
]

/** SQLite's own limits, each passed by. */
const limits = [
  ...all(
    'failed',
    `SELECT ${times(3000, () => '1', '+')}`,
    `SELECT ${nested(1500, 'abs(', '1', ')')}`,
    `SELECT ${'-'.repeat(1)}${nested(1200, '(-', '1', ')')}`,
    `SELECT ${times(600, () => 'NOT', ' ')} ${nested(1200, 'NOT (', '1', ')')}`,
    `SELECT ${times(2500, (index) => `1 AS c${index}`, ',')}`,
    times(600, () => 'SELECT 1', ' UNION ALL '),
    `SELECT count(*) FROM ${times(70, (index) => `meta t${index}`, ',')}`,
    `SELECT ${nested(1200, 'CASE WHEN 1 THEN ', '1', ' END')}`,
    `SELECT ${nested(200, '(SELECT ', '1', ')')}, ${nested(1100, '(SELECT ', '1', ')')}`,
    `SELECT max(${times(1100, () => '1', ',')})`,
    `SELECT json('${nested(2000, '[', '', ']')}')`,
    "SELECT json_extract('{}', 'a')",
    `SELECT * FROM company_fts WHERE company_fts MATCH '${nested(500, '(', 'a', ')')}'`,
    `SELECT * FROM company_fts WHERE company_fts MATCH 'a AND'`,
    `SELECT * FROM company_fts WHERE company_fts MATCH 'nocolumn: a'`,
    `SELECT * FROM company_fts WHERE company_fts MATCH '"'`,
    'SELECT abs(-9223372036854775808)',
    `SELECT 1 WHERE 'a' LIKE '${'%a'.repeat(30_000)}'`,
    "SELECT 1 LIKE 2 ESCAPE 'ab'",
    'SELECT nosuch FROM company',
    'SELECT',
    'SELECT * FROM',
    'WITH RECURSIVE c AS (SELECT * FROM c) SELECT * FROM c',
    'EXPLAIN SELECT nosuch',
    'SELECT matchinfo(company_fts) FROM company_fts',
    "SELECT rtreecheck('main', 'company')",
    'SELECT ?32767',
    `SELECT 1 + /* ${'ü'.repeat(60_000)} */ 1`,
    `SELECT ${times(50, () => `1 + /* ${'ü'.repeat(1500)} */ 1`, ',')}`,
  ),
  ...all('bad arguments', 'SELECT ?', 'SELECT ?1, ?2', 'SELECT :name', 'SELECT @name', 'SELECT $name'),
  ...all('bad arguments', '', `SELECT '${'x'.repeat(100_001)}' AS a`),
]

/** Answers that would be far bigger than their statement: the names of columns are repeated in every row. */
const amplified: readonly Attempt[] = [
  { request: { sql: `SELECT 1 + /* ${'x'.repeat(40_000)} */ 1 FROM officer a, officer b` }, outcome: 'cut' },
  {
    request: { sql: `SELECT ${times(1500, (index) => `1 AS c${index}`, ',')} FROM officer a, officer b` },
    outcome: 'cut',
  },
  { request: { sql: "SELECT printf('%.*c', 900, 'x') FROM officer a, officer b" }, outcome: 'cut' },
  { request: { sql: 'SELECT hex(zeroblob(20000)) FROM officer' }, outcome: 'cut' },
  { request: { sql: 'SELECT zeroblob(40000) FROM officer' }, outcome: 'cut' },
  { request: { sql: 'SELECT a.* FROM officer a, officer b, officer c' }, outcome: 'cut' },
  { request: { sql: `SELECT ${nested(900, '(', '1', ')')} AS a` }, outcome: { rows: [[1]] } },
]

/** All of these, each given to freeQuery as `sql`. */
export const exhausting: readonly Attempt[] = [...slow, ...big, ...limits, ...amplified]
