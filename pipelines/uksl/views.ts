/** The views that all sanctions lists share, so that one question can be put to each of them. */
import type { PipelineDefinition } from '../../src/pipeline/types.ts'

export const views: NonNullable<PipelineDefinition['views']> = {
  entity: {
    description: 'Who is listed; entity_id is the key of the table record_table.',
    sql: `SELECT unique_id AS entity_id,
        CASE lower(designation_type) WHEN 'individual' THEN 'person' WHEN 'entity' THEN 'organisation'
          WHEN 'ship' THEN 'vessel' ELSE 'other' END AS type,
        coalesce((SELECT n.name FROM name n WHERE n.unique_id = d.unique_id AND n.kind = 'primary' ORDER BY n.name LIMIT 1),
          name) AS name,
        date_designated AS listed_on, last_amended AS amended_on, statement_of_reasons AS remarks,
        'designation' AS record_table
      FROM designation d`,
  },
  entity_name: {
    description: 'Names of the listed; name_id is the rowid in name_fts.',
    sql: `SELECT unique_id AS entity_id, name, kind, strength, nullif(concat_ws(', ', title, language), '') AS note,
      id AS name_id FROM name`,
  },
  entity_address: {
    description: 'Addresses of the listed.',
    sql: `SELECT unique_id AS entity_id, concat_ws(', ', line_1, line_2, line_3, line_4, line_5, line_6) AS address,
      NULL AS city, NULL AS region, postal_code AS postcode, country, NULL AS note FROM address`,
  },
  entity_birth: {
    description: 'Dates and places of birth: YYYY-MM-DD, YYYY-MM or YYYY; date_to where it is one of several years.',
    sql: `SELECT unique_id AS entity_id, nullif(date, '') AS date, NULL AS date_to, 0 AS circa,
      nullif(town, '') AS place, nullif(country, '') AS country, NULL AS note FROM birth`,
  },
  entity_identifier: {
    description: 'Numbers of documents, firms and ships.',
    sql: `SELECT unique_id AS entity_id, type, number, NULL AS country, nullif(note, '') AS note
      FROM identifier WHERE number <> ''`,
  },
  entity_program: {
    description: 'Sanctions regimes that list somebody.',
    sql: `SELECT unique_id AS entity_id, regime_name AS program, designation_source AS authority,
      date_designated AS imposed_on FROM designation`,
  },
}
