/** The views that all sanctions lists share, so that one question can be put to each of them. */
import type { PipelineDefinition } from '../../src/pipeline/types.ts'

export const views: NonNullable<PipelineDefinition['views']> = {
  entity: {
    description: 'Who is listed; entity_id is the key of the table record_table.',
    sql: `SELECT reference_number AS entity_id, CASE type WHEN 'individual' THEN 'person' ELSE 'organisation' END AS type,
      name, listed_on, last_amended AS amended_on, comments AS remarks, 'entry' AS record_table FROM entry`,
  },
  entity_name: {
    description: 'Names of the listed; name_id is the rowid in name_fts.',
    sql: `SELECT reference_number AS entity_id, name, kind, strength, note, id AS name_id FROM name`,
  },
  entity_address: {
    description: 'Addresses of the listed.',
    sql: `SELECT reference_number AS entity_id, street AS address, city, state_province AS region,
      zip_code AS postcode, country, note FROM address`,
  },
  entity_birth: {
    description: 'Dates and places of birth: YYYY-MM-DD, YYYY-MM or YYYY; date_to where it is one of several years.',
    sql: `SELECT reference_number AS entity_id, coalesce(date, year, from_year) AS date, to_year AS date_to,
        CASE type_of_date WHEN 'EXACT' THEN 0 ELSE 1 END AS circa, NULL AS place, NULL AS country, note
      FROM birth_date
      UNION ALL
      SELECT reference_number, NULL, NULL, 0, concat_ws(', ', street, city, state_province), country, note
      FROM birth_place`,
  },
  entity_identifier: {
    description: 'Numbers of documents.',
    sql: `SELECT reference_number AS entity_id, coalesce(type_of_document2, type_of_document) AS type, number,
      coalesce(issuing_country, country_of_issue) AS country, note FROM document WHERE number IS NOT NULL`,
  },
  entity_program: {
    description: 'Sanctions regimes that list somebody.',
    sql: `SELECT reference_number AS entity_id, un_list_type AS program, 'UN Security Council' AS authority,
      listed_on AS imposed_on FROM entry`,
  },
}
