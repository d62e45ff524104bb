/** The views that all sanctions lists share, so that one question can be put to each of them. */
import type { PipelineDefinition } from '../../src/pipeline/types.ts'

export const views: NonNullable<PipelineDefinition['views']> = {
  entity: {
    description: 'Who is listed; entity_id is the key of the table record_table. The source has no dates of listing.',
    sql: `SELECT ent_num AS entity_id, CASE sdn_type WHEN 'individual' THEN 'person' WHEN 'entity' THEN 'organisation'
        WHEN 'vessel' THEN 'vessel' WHEN 'aircraft' THEN 'aircraft' ELSE 'other' END AS type,
      sdn_name AS name, NULL AS listed_on, NULL AS amended_on, remarks, 'sdn' AS record_table FROM sdn`,
  },
  entity_name: {
    description: 'Names of the listed; name_id is the rowid in name_fts.',
    sql: `SELECT ent_num AS entity_id, name, kind, strength, note, id AS name_id FROM name`,
  },
  entity_address: {
    description: 'Addresses of the listed.',
    sql: `SELECT ent_num AS entity_id, address, city_state_province AS city, NULL AS region, NULL AS postcode, country,
      add_remarks AS note FROM address
      WHERE coalesce(address, city_state_province, country, add_remarks) IS NOT NULL`,
  },
  entity_birth: {
    description: 'Dates and places of birth: YYYY-MM-DD, YYYY-MM or YYYY; date_to where it is one of several years.',
    sql: `SELECT ent_num AS entity_id, date, date_to, circa, place, NULL AS country,
      CASE WHEN date IS NULL AND place IS NULL THEN text END AS note FROM birth`,
  },
  entity_identifier: {
    description: 'Numbers of documents, firms, ships and accounts.',
    sql: `SELECT ent_num AS entity_id, type, number, country, note FROM identifier`,
  },
  entity_program: {
    description: 'Sanctions programs that list somebody.',
    sql: `SELECT s.ent_num AS entity_id, p.value AS program, 'US Treasury, OFAC' AS authority, NULL AS imposed_on
      FROM sdn s, json_each(s.programs) p`,
  },
}
