/** Tables in the shape that users of the published SQLite file know, with keys that hold from version to version. */
import type { PipelineDefinition, TableDefinition } from '../../src/pipeline/types.ts'

const leftoverColumn = {
  type: 'TEXT',
  description: 'JSON of source fields that have no column, in their own shape',
} as const

const company: TableDefinition = {
  description: 'One company, association or partnership per register number and court.',
  columns: {
    company_number: { type: 'TEXT', description: 'Court code, register and number: K1101R_HRB150148' },
    name: { type: 'TEXT', description: 'Name as registered' },
    jurisdiction_code: { type: 'TEXT', description: 'Always de' },
    current_status: { type: 'TEXT', description: 'currently registered, or removed' },
    register_art: { type: 'TEXT', description: 'Register: HRA, HRB, GnR, VR or PR' },
    register_nummer: { type: 'TEXT', description: 'Number within register and court; repeats across courts' },
    register_nummer_suffix: { type: 'TEXT', description: 'Suffix of the number, where a court uses one' },
    native_company_number: { type: 'TEXT', description: 'As written in Germany: Hamburg HRB 150148' },
    registrar: { type: 'TEXT', description: 'Register court' },
    former_registrar: { type: 'TEXT', description: 'Court that kept the entry before' },
    registered_office: { type: 'TEXT', description: 'Seat' },
    federal_state: { type: 'TEXT', description: 'Federal state, in English' },
    registered_address: { type: 'TEXT', description: 'Free text; missing for about two thirds of the companies' },
    postcode: { type: 'TEXT', description: 'Five digits found in registered_address, where there are any' },
    retrieved_at: { type: 'TEXT', description: 'When OpenCorporates read the entry: the vintage of this record' },
    flags: { type: 'TEXT', description: 'JSON: which documents the court offered (AD, CD, DK, HD, SI, UT, VÖ)' },
    attributes: leftoverColumn,
  },
  key: ['company_number'],
  title: 'name',
  indexes: [
    ['register_art', 'register_nummer', 'registrar'],
    ['postcode'],
    ['registered_office'],
    ['native_company_number'],
  ],
  related: [
    { name: 'officers', table: 'officer', on: { company_id: 'company_number' }, orderBy: ['ordinal'] },
    { name: 'previous_names', table: 'previous_name', on: { company_id: 'company_number' }, orderBy: ['ordinal'] },
    { name: 'registrations', table: 'registrations', on: { company_id: 'company_number' }, orderBy: ['ordinal'] },
  ],
}

const officer: TableDefinition = {
  description: 'Officers of a company, in the order of the source. Former ones are included and marked dismissed.',
  surrogate: 'id',
  columns: {
    company_id: { type: 'TEXT', description: 'company.company_number' },
    ordinal: { type: 'INTEGER', description: 'Place in the company’s list, from 1' },
    name: { type: 'TEXT', description: 'Full name as the source has it' },
    position: { type: 'TEXT', description: 'Geschäftsführer, Prokurist, Liquidator, Vorstand, Inhaber, …' },
    type: { type: 'TEXT', description: 'person or company' },
    firstname: 'TEXT',
    lastname: 'TEXT',
    title: 'TEXT',
    maidenname: 'TEXT',
    city: 'TEXT',
    flag: { type: 'TEXT', description: 'Powers of representation, as registered' },
    dismissed: { type: 'INTEGER', description: '1 where the officer has left' },
    start_date: 'TEXT',
    end_date: 'TEXT',
    reference_no: 'TEXT',
    attributes: leftoverColumn,
  },
  key: ['company_id', 'ordinal'],
  title: 'name',
  indexes: [['lastname', 'firstname']],
}

const previousName: TableDefinition = {
  description: 'Names that a company had before.',
  columns: {
    company_id: { type: 'TEXT', description: 'company.company_number' },
    ordinal: { type: 'INTEGER', description: 'Place in the company’s list, from 1' },
    company_name: 'TEXT',
    attributes: leftoverColumn,
  },
  key: ['company_id', 'ordinal'],
  title: 'company_name',
}

const registrations: TableDefinition = {
  description: 'Moves of a company from one register entry to another, listed with both of them.',
  columns: {
    company_id: { type: 'TEXT', description: 'company.company_number of the entry that lists the move' },
    ordinal: { type: 'INTEGER', description: 'Place in the company’s list, from 1' },
    previous_company_number: 'TEXT',
    previous_jurisdiction_code: 'TEXT',
    previous_entity_type: 'TEXT',
    subsequent_company_number: 'TEXT',
    subsequent_jurisdiction_code: 'TEXT',
    subsequent_entity_type: 'TEXT',
    alternate_company_number: 'TEXT',
    alternate_jurisdiction_code: 'TEXT',
    alternate_entity_type: 'TEXT',
    confidence: 'TEXT',
    data_type: 'TEXT',
    publication_date: 'TEXT',
    retrieved_at: 'TEXT',
    sample_date: 'TEXT',
    source_url: 'TEXT',
    start_date: 'TEXT',
    start_date_type: 'TEXT',
    previous_registration_end_date: 'TEXT',
    subsequent_registration_start_date: 'TEXT',
    attributes: leftoverColumn,
  },
  key: ['company_id', 'ordinal'],
  indexes: [['subsequent_company_number'], ['previous_company_number']],
}

export const tables: PipelineDefinition['tables'] = {
  company,
  officer,
  previous_name: previousName,
  registrations,
}

export const views: NonNullable<PipelineDefinition['views']> = {
  companies: {
    description: 'Companies with the column names of FlowMCP’s documentation.',
    // No record has a registration date; a move to this entry, where one is listed, says when it began.
    sql: `SELECT c.company_number, c.name, c.registered_address, c.current_status AS status,
      (SELECT min(coalesce(r.subsequent_registration_start_date, r.start_date)) FROM registrations r
       WHERE r.subsequent_company_number = c.company_number) AS registered_date,
      c.register_art, c.register_nummer, c.registrar, c.registered_office, c.federal_state, c.retrieved_at
      FROM company c`,
  },
}
