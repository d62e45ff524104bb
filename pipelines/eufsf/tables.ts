/** Tables of the EU list: a subject with its names, regulations, addresses, births, citizenships and documents. */
import type { ColumnDefinition, PipelineDefinition, TableDefinition } from '../../src/pipeline/types.ts'

const identity = {
  subject_id: { type: 'INTEGER', description: 'subject.logical_id' },
  logical_id: { type: 'INTEGER', description: 'The source’s own number of it' },
} as const
const key = ['subject_id', 'logical_id']

const source: Readonly<Record<string, ColumnDefinition>> = {
  remark: 'TEXT',
  regulation_language: 'TEXT',
  regulation_type: { type: 'TEXT', description: 'Of the regulation that brought this, as the next three' },
  regulation: { type: 'TEXT', description: 'Number, with the Official Journal' },
  regulation_date: 'TEXT',
  regulation_url: 'TEXT',
}

const country: Readonly<Record<string, ColumnDefinition>> = {
  country_iso2_code: { type: 'TEXT', description: '00 for UNKNOWN' },
  country: 'TEXT',
}

const place: Readonly<Record<string, ColumnDefinition>> = {
  city: { type: 'TEXT', description: 'May be a dash' },
  zip_code: 'TEXT',
  region: 'TEXT',
  place: 'TEXT',
  ...country,
}

const texts = (...names: readonly string[]): Readonly<Record<string, ColumnDefinition>> =>
  Object.fromEntries(names.map((name) => [name, 'TEXT']))
const flags = (...names: readonly string[]): Readonly<Record<string, ColumnDefinition>> =>
  Object.fromEntries(names.map((name) => [name, { type: 'INTEGER', description: '1 or 0' }]))

const relatedBy = (name: string, table: string) => ({
  name,
  table,
  on: { subject_id: 'logical_id' },
  orderBy: ['logical_id'],
})

const subject: TableDefinition = {
  description: 'One person, or one group, firm or body, under financial sanctions of the European Union.',
  columns: {
    logical_id: { type: 'INTEGER', description: 'The source’s own number of the entity' },
    eu_reference_number: { type: 'TEXT', description: 'EU.27.28' },
    name: { type: 'TEXT', description: 'The first strong name; the source calls none the main one' },
    type: { type: 'TEXT', description: 'person or enterprise' },
    classification_code: { type: 'TEXT', description: 'P or E' },
    united_nation_id: { type: 'TEXT', description: 'Where the listing follows the UN’s' },
    designation_date: 'TEXT',
    designation_details: 'TEXT',
    programmes: { type: 'TEXT', description: 'JSON list of the regulations’ programmes: TAQA, PRK, UKR, …' },
    remarks: { type: 'TEXT', description: 'Prose. Names other people, too: no place to look for names' },
    attributes: { type: 'TEXT', description: 'JSON of what the source says and no column holds, in its own shape' },
  },
  key: ['logical_id'],
  title: 'name',
  indexes: [['eu_reference_number'], ['designation_date'], ['united_nation_id']],
  related: [
    relatedBy('names', 'name'),
    relatedBy('regulations', 'regulation'),
    relatedBy('addresses', 'address'),
    relatedBy('births', 'birth'),
    relatedBy('citizenships', 'citizenship'),
    relatedBy('identifications', 'identification'),
  ],
}

const name: TableDefinition = {
  description: 'Every name of a subject, in every language that the list has it in.',
  surrogate: 'id',
  columns: {
    ...identity,
    name: { type: 'TEXT', description: 'The whole name' },
    kind: { type: 'TEXT', description: 'primary (see subject.name) or alias' },
    strength: { type: 'TEXT', description: 'weak where the source says that a name is not strong' },
    ...texts('first_name', 'middle_name', 'last_name', 'function', 'gender', 'title'),
    language: { type: 'TEXT', description: 'ISO 639-1, mostly empty' },
    ...source,
  },
  key,
  title: 'name',
}

const regulation: TableDefinition = {
  description: 'Legal acts by which a subject is listed.',
  columns: {
    ...identity,
    ...texts('regulation_type', 'organisation_type', 'publication_date', 'entry_into_force_date', 'number_title'),
    programme: { type: 'TEXT', description: 'TAQA, PRK, UKR, …' },
    ...texts('publication_url', 'remark'),
  },
  key,
  title: 'number_title',
  indexes: [['programme']],
}

const address: TableDefinition = {
  description: 'Addresses of a subject.',
  columns: {
    ...identity,
    ...texts('street', 'po_box'),
    ...place,
    ...flags('as_at_listing_time'),
    contact_info: { type: 'TEXT', description: 'JSON list of keys and values: telephone, mail, …' },
    ...source,
  },
  key,
}

const birth: TableDefinition = {
  description: 'Dates and places of birth; several are alternatives.',
  columns: {
    ...identity,
    date: { type: 'TEXT', description: 'YYYY-MM-DD, where all of it is known' },
    ...texts('year', 'month', 'day', 'year_from', 'year_to'),
    ...flags('circa'),
    calendar: { type: 'TEXT', description: 'GREGORIAN, mostly' },
    ...place,
    ...source,
  },
  key,
}

const citizenship: TableDefinition = {
  description: 'Citizenships of a person.',
  columns: { ...identity, region: 'TEXT', ...country, ...source },
  key,
  title: 'country',
}

const identification: TableDefinition = {
  description: 'Passports, identity cards, tax and register numbers.',
  columns: {
    ...identity,
    type_code: { type: 'TEXT', description: 'passport, id, regnumber, …' },
    ...texts('type', 'number', 'latin_number', 'name_on_document', 'issued_by', 'issue_date', 'valid_from', 'valid_to'),
    region: 'TEXT',
    ...country,
    ...flags('diplomatic', 'known_expired', 'known_false', 'reported_lost', 'revoked_by_issuer'),
    ...source,
  },
  key,
  indexes: [['number']],
}

export const tables: PipelineDefinition['tables'] = {
  subject,
  name,
  regulation,
  address,
  birth,
  citizenship,
  identification,
}
