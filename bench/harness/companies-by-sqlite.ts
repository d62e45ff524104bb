/**
 * The companies' file by the `sqlite3` command line in our stead: each line is taken apart by `json_extract` into the tables of
 * our pipeline, with the same keys, indexes and full text. It leaves out what SQL has no words for here: the postcode in an
 * address, fields that nobody foresaw, German spellings in the full text. Ours has them.
 */

import { tables } from '../../pipelines/offeneregister/tables.ts'
import { createTable } from '../../src/ingest/tables.ts'
import type { TableDefinition } from '../../src/pipeline/types.ts'
import { quoteIdentifier } from '../../src/store/identifier.ts'
import type { Measured } from './measure.ts'
import type { Bench } from './row.ts'
import { fullText, quoted, runSqlite } from './sqlite-cli.ts'

/** Where columns have another name in the file than in the table. */
const companyPaths: Readonly<Record<string, string>> = {
  register_art: 'all_attributes._registerArt',
  register_nummer: 'all_attributes._registerNummer',
  register_nummer_suffix: 'all_attributes._registerNummerSuffix',
  native_company_number: 'all_attributes.native_company_number',
  registrar: 'all_attributes.registrar',
  former_registrar: 'all_attributes.former_registrar',
  registered_office: 'all_attributes.registered_office',
  federal_state: 'all_attributes.federal_state',
  flags: 'all_attributes.additional_data',
}

const officerPaths: Readonly<Record<string, string>> = Object.fromEntries(
  ['firstname', 'lastname', 'title', 'maidenname', 'city', 'flag', 'dismissed', 'reference_no'].map((name) => [
    name,
    `other_attributes.${name}`,
  ]),
)

const registrationPaths: Readonly<Record<string, string>> = Object.fromEntries(
  ['previous', 'subsequent', 'alternate'].flatMap((kind) => [
    [`${kind}_company_number`, `${kind}_entity.entity_properties.company_number`],
    [`${kind}_jurisdiction_code`, `${kind}_entity.entity_properties.jurisdiction_code`],
    [`${kind}_entity_type`, `${kind}_entity.entity_type`],
  ]),
)

/** Columns that SQL does not fill. */
const left: ReadonlySet<string> = new Set(['attributes', 'postcode'])

const definitionOf = (name: string): TableDefinition => {
  const definition = tables[name]
  if (definition === undefined) throw new Error(`the pipeline has no table ${name}`)
  return definition
}

const valuesOf = (name: string, json: string, paths: Readonly<Record<string, string>>): string =>
  Object.keys(definitionOf(name).columns)
    .map((column) => {
      if (column === 'company_id') return "json_extract(line, '$.company_number')"
      if (column === 'ordinal') return 'each.key + 1'
      return left.has(column) ? 'NULL' : `json_extract(${json}, '$.${paths[column] ?? column}')`
    })
    .join(', ')

const insertChildren = (name: string, list: string, paths: Readonly<Record<string, string>>): string =>
  `INSERT INTO ${name}(${Object.keys(definitionOf(name).columns).join(', ')})
   SELECT ${valuesOf(name, 'each.value', paths)} FROM lines, json_each(line, '$.${list}') AS each;`

const indexes = (name: string): string[] => {
  const { key, indexes: further = [] } = definitionOf(name)
  return [
    `CREATE UNIQUE INDEX ${quoteIdentifier(`${name} key`)} ON ${name}(${key.join(', ')});`,
    ...further.map(
      (columns) => `CREATE INDEX ${quoteIdentifier(`${name}.${columns.join('.')}`)} ON ${name}(${columns.join(', ')});`,
    ),
  ]
}

/** Imports a file of companies that `decompressor` (`lbzip2 -dc`) unpacks. */
export const importCompanies = (
  bench: Pick<Bench, 'signal' | 'work'>,
  file: string,
  path: string,
  decompressor: string,
): Promise<Measured> =>
  runSqlite(bench, path, [
    ...Object.entries(tables).map(([name, table]) => `${createTable(name, table, false)};`),
    'CREATE TEMP TABLE lines(line TEXT);',
    // No character of a line is a mark: whole lines are what is imported.
    '.mode ascii',
    '.separator "\\037" "\\n"',
    `.import "|${decompressor} ${quoted(file)}" lines`,
    `INSERT INTO company SELECT ${valuesOf('company', 'line', companyPaths)} FROM lines;`,
    insertChildren('officer', 'officers', officerPaths),
    insertChildren('previous_name', 'previous_names', {}),
    insertChildren('registrations', 'subsequent_registrations', registrationPaths),
    'DROP TABLE lines;',
    ...Object.keys(tables).flatMap(indexes),
    fullText('company_fts', 'company', 'name, registered_office, registered_address'),
    fullText('officer_fts', 'officer', 'name, city'),
    'SELECT count(*) FROM company;',
  ])
