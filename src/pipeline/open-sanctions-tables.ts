/** Tables of an OpenSanctions dataset, and the views that all sanctions lists share. */
import type { PipelineDefinition, TableDefinition } from './types.ts'

const parent = { type: 'TEXT', description: 'ftm_entity.id' } as const
const property = { type: 'TEXT', description: 'The property of FollowTheMoney that it is the value of' } as const

const related = (name: string, table: string, orderBy: readonly string[], column = 'entity_id') => ({
  name,
  table,
  on: { [column]: 'id' },
  orderBy,
})

const ftmEntity: TableDefinition = {
  description:
    'One entity in the model of FollowTheMoney: a person, firm, vessel, …, or an address, a document, a sanction, an ownership that belongs to one.',
  columns: {
    id: { type: 'TEXT', description: 'NK-…, Q… (Wikidata) or the id of a source; may change when entities are merged' },
    schema: {
      type: 'TEXT',
      description: 'Person, Organization, Company, LegalEntity, Vessel, Airplane, CryptoWallet, Sanction, Ownership, …',
    },
    caption: { type: 'TEXT', description: 'What the publisher calls it by' },
    target: {
      type: 'INTEGER',
      description:
        '1 where it is on a list itself, 0 where it is there for one that is; empty where the source does not say',
    },
    topics: { type: 'TEXT', description: 'JSON list: sanction, sanction.linked, role.pep, crime, debarment, …' },
    countries: { type: 'TEXT', description: 'JSON list of two-letter codes in small letters, of whatever tie' },
    datasets: { type: 'TEXT', description: 'JSON list of the source lists that it is in: us_ofac_sdn, eu_fsf, …' },
    referents: { type: 'TEXT', description: 'JSON list of the ids that were merged into this one' },
    first_seen: 'TEXT',
    last_change: 'TEXT',
    properties: { type: 'TEXT', description: 'JSON of all its properties, each a sorted list' },
    attributes: { type: 'TEXT', description: 'JSON of further fields of the source' },
  },
  key: ['id'],
  title: 'caption',
  indexes: [['schema'], ['last_change']],
  related: [
    related('names', 'name', ['property', 'name']),
    related('addresses', 'address', ['address']),
    related('births', 'birth', ['property', 'value']),
    related('identifiers', 'identifier', ['type', 'number', 'document_id']),
    related('sanctions', 'sanction', ['sanction_id']),
    related('references', 'reference', ['property', 'target_id']),
    related('referenced_by', 'reference', ['property', 'entity_id'], 'target_id'),
  ],
}

const name: TableDefinition = {
  description: 'Every name of an entity.',
  surrogate: 'id',
  columns: {
    entity_id: parent,
    property,
    name: 'TEXT',
    kind: { type: 'TEXT', description: 'primary, original-script, alias or former' },
    strength: { type: 'TEXT', description: 'weak for weakAlias and abbreviation, otherwise strong' },
  },
  key: ['entity_id', 'property', 'name'],
  title: 'name',
}

const address: TableDefinition = {
  description: 'Addresses: of an entity in one text, and those that are entities (schema Address) with their parts.',
  columns: {
    entity_id: parent,
    address: 'TEXT',
    street: 'TEXT',
    city: 'TEXT',
    region: 'TEXT',
    postal_code: 'TEXT',
    country: 'TEXT',
  },
  key: ['entity_id', 'address'],
  title: 'address',
}

const birth: TableDefinition = {
  description: 'Dates, places and countries of birth. Several are alternatives.',
  columns: {
    entity_id: parent,
    property: { type: 'TEXT', description: 'birthDate, birthPlace or birthCountry' },
    value: { type: 'TEXT', description: 'A date is YYYY-MM-DD, YYYY-MM or YYYY' },
  },
  key: ['entity_id', 'property', 'value'],
}

const identifier: TableDefinition = {
  description: 'Numbers of documents, registers, ships and accounts.',
  columns: {
    entity_id: { type: 'TEXT', description: 'ftm_entity.id of whom it belongs to' },
    type: { type: 'TEXT', description: 'The property (imoNumber, taxNumber, …), or the kind of document' },
    number: 'TEXT',
    country: 'TEXT',
    document_id: { type: 'TEXT', description: 'ftm_entity.id of the document; an empty text where it is none' },
  },
  key: ['entity_id', 'type', 'number', 'document_id'],
  indexes: [['number']],
}

const sanction: TableDefinition = {
  description: 'One designation of an entity by an authority. Several values of a property are joined by "; ".',
  columns: {
    sanction_id: { type: 'TEXT', description: 'ftm_entity.id of the designation' },
    entity_id: { type: 'TEXT', description: 'ftm_entity.id of whom it is about' },
    program: 'TEXT',
    program_id: { type: 'TEXT', description: 'The publisher’s own: US-GLOMAG, EU-UKR, …' },
    authority: 'TEXT',
    authority_id: { type: 'TEXT', description: 'Number in the authority’s list' },
    country: { type: 'TEXT', description: 'Of the authority' },
    listing_date: 'TEXT',
    start_date: 'TEXT',
    end_date: { type: 'TEXT', description: 'There where it is over' },
    status: 'TEXT',
    provisions: 'TEXT',
    reason: { type: 'TEXT', description: 'Names other people, too: no place to look for names' },
    source_url: 'TEXT',
  },
  key: ['sanction_id', 'entity_id'],
  title: 'program',
  indexes: [['entity_id'], ['program_id']],
}

const reference: TableDefinition = {
  description: 'Which entity names which other, by which property: an ownership its owner and its asset, and so on.',
  columns: { entity_id: parent, property, target_id: { type: 'TEXT', description: 'ftm_entity.id; may not be there' } },
  key: ['entity_id', 'property', 'target_id'],
  indexes: [['target_id', 'property']],
}

export const openSanctionsTables: PipelineDefinition['tables'] = {
  ftm_entity: ftmEntity,
  name,
  address,
  birth,
  identifier,
  sanction,
  reference,
}

/**
 * Who is on a list itself; relatives, owners and addresses are there for them. Where an export does not say, everybody
 * with a name is: who is looked up in vain there would pass for cleared.
 */
const listed = `(e.target = 1 OR (e.target IS NULL AND EXISTS (SELECT 1 FROM name own WHERE own.entity_id = e.id)))`

export const openSanctionsViews: NonNullable<PipelineDefinition['views']> = {
  entity: {
    description: 'Who is listed; entity_id is the key of the table record_table.',
    sql: `SELECT e.id AS entity_id,
        CASE WHEN e.schema = 'Person' THEN 'person' WHEN e.schema IN ('Organization', 'Company', 'PublicBody') THEN 'organisation'
          WHEN e.schema = 'Vessel' THEN 'vessel' WHEN e.schema = 'Airplane' THEN 'aircraft' ELSE 'other' END AS type,
        e.caption AS name,
        (SELECT min(coalesce(s.listing_date, s.start_date)) FROM sanction s WHERE s.entity_id = e.id) AS listed_on,
        e.last_change AS amended_on,
        (SELECT group_concat(n.value, char(10)) FROM json_each(e.properties, '$.notes') n) AS remarks,
        'ftm_entity' AS record_table
      FROM ftm_entity e WHERE ${listed}`,
  },
  entity_name: {
    description: 'Names of the listed; name_id is the rowid in name_fts.',
    sql: `SELECT n.entity_id, n.name, n.kind, n.strength, NULL AS note, n.id AS name_id
      FROM name n JOIN ftm_entity e ON e.id = n.entity_id WHERE ${listed}`,
  },
  entity_address: {
    description: 'Addresses of the listed: with their parts where they are entities, otherwise in one text.',
    sql: `SELECT r.entity_id, a.address, a.city, a.region, a.postal_code AS postcode, a.country, NULL AS note
      FROM reference r JOIN ftm_entity e ON e.id = r.entity_id JOIN address a ON a.entity_id = r.target_id
      WHERE r.property = 'addressEntity' AND ${listed}
      UNION ALL
      SELECT a.entity_id, a.address, NULL, NULL, NULL, NULL, NULL
      FROM address a JOIN ftm_entity e ON e.id = a.entity_id
      WHERE ${listed} AND e.schema <> 'Address' AND NOT EXISTS (
        SELECT 1 FROM reference r JOIN address l ON l.entity_id = r.target_id
        WHERE r.entity_id = a.entity_id AND r.property = 'addressEntity' AND l.address = a.address)`,
  },
  entity_birth: {
    description:
      'Dates and places of birth: YYYY-MM-DD, YYYY-MM or YYYY; which goes with which the source does not say.',
    sql: `SELECT b.entity_id, CASE b.property WHEN 'birthDate' THEN b.value END AS date, NULL AS date_to, 0 AS circa,
        CASE b.property WHEN 'birthPlace' THEN b.value END AS place,
        CASE b.property WHEN 'birthCountry' THEN b.value END AS country, NULL AS note
      FROM birth b JOIN ftm_entity e ON e.id = b.entity_id WHERE ${listed}`,
  },
  entity_identifier: {
    description: 'Numbers of documents, registers, ships and accounts.',
    sql: `SELECT i.entity_id, i.type, i.number, i.country, NULL AS note
      FROM identifier i JOIN ftm_entity e ON e.id = i.entity_id WHERE ${listed}`,
  },
  entity_program: {
    description: 'Sanctions programmes that list somebody, as far as the source says so.',
    sql: `SELECT s.entity_id, coalesce(s.program, s.program_id, s.authority) AS program, s.authority,
        coalesce(s.listing_date, s.start_date) AS imposed_on
      FROM sanction s JOIN ftm_entity e ON e.id = s.entity_id WHERE ${listed}
      UNION ALL
      SELECT e.id, p.value, NULL, NULL FROM ftm_entity e, json_each(e.properties, '$.program') p
      WHERE ${listed} AND NOT EXISTS (SELECT 1 FROM sanction s WHERE s.entity_id = e.id)`,
  },
}
