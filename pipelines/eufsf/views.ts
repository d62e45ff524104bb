/** The views that all sanctions lists share, so that one question can be put to each of them. */
import type { PipelineDefinition } from '../../src/pipeline/types.ts'

export const views: NonNullable<PipelineDefinition['views']> = {
  entity: {
    description: 'Who is listed; entity_id is the key of the table record_table.',
    sql: `SELECT logical_id AS entity_id, CASE type WHEN 'person' THEN 'person' WHEN 'enterprise' THEN 'organisation'
        ELSE 'other' END AS type,
      name, designation_date AS listed_on,
      (SELECT max(r.publication_date) FROM regulation r WHERE r.subject_id = s.logical_id) AS amended_on,
      remarks, 'subject' AS record_table FROM subject s`,
  },
  entity_name: {
    description: 'Names of the listed; name_id is the rowid in name_fts.',
    sql: `SELECT subject_id AS entity_id, name, kind, strength, remark AS note, id AS name_id FROM name`,
  },
  entity_address: {
    description: 'Addresses of the listed.',
    sql: `SELECT subject_id AS entity_id, nullif(concat_ws(', ', street, po_box, place), '') AS address,
      nullif(city, '-') AS city, region, zip_code AS postcode,
      CASE country_iso2_code WHEN '00' THEN NULL ELSE country END AS country, remark AS note FROM address`,
  },
  entity_birth: {
    description: 'Dates and places of birth: YYYY-MM-DD, YYYY-MM or YYYY; date_to where it is one of several years.',
    sql: `SELECT subject_id AS entity_id,
      coalesce(date, year || CASE WHEN month IS NULL THEN '' ELSE printf('-%02d', month) END, year_from) AS date, year_to AS date_to, circa,
      nullif(concat_ws(', ', nullif(city, '-'), place, region), '') AS place,
      CASE country_iso2_code WHEN '00' THEN NULL ELSE country END AS country, remark AS note FROM birth`,
  },
  entity_identifier: {
    description: 'Numbers of documents and registers.',
    sql: `SELECT subject_id AS entity_id, coalesce(type, type_code) AS type, coalesce(number, latin_number) AS number,
      CASE country_iso2_code WHEN '00' THEN NULL ELSE country END AS country, remark AS note
      FROM identification WHERE coalesce(number, latin_number) IS NOT NULL`,
  },
  entity_program: {
    description: 'Sanctions programmes that list somebody.',
    sql: `SELECT subject_id AS entity_id, programme AS program, 'European Union' AS authority,
      min(publication_date) AS imposed_on FROM regulation GROUP BY subject_id, programme`,
  },
}
