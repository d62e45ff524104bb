/** Tables of the UK list: a designation with its names, addresses, births, identifiers and further details. */
import type { PipelineDefinition, TableDefinition } from '../../src/pipeline/types.ts'

const parent = { type: 'TEXT', description: 'designation.unique_id' } as const

const ofOneText = { type: 'INTEGER', description: '1; more where rows differ in what else they say of it' } as const

const relatedBy = (name: string, table: string, orderBy: readonly string[]) => ({
  name,
  table,
  on: { unique_id: 'unique_id' },
  orderBy,
})

const designation: TableDefinition = {
  description: 'One person, one group or firm, or one ship under UK sanctions.',
  columns: {
    unique_id: { type: 'TEXT', description: 'The list’s own number, by regime: RUS2176, AFG0001' },
    name: {
      type: 'TEXT',
      description: 'Name in the designation’s first row, which is mostly the primary one: see name.kind',
    },
    designation_type: { type: 'TEXT', description: 'Individual, Entity or Ship' },
    regime_name: { type: 'TEXT', description: 'The regulations by which the sanctions are imposed' },
    designation_source: { type: 'TEXT', description: 'UK or UN' },
    sanctions_imposed: { type: 'TEXT', description: 'JSON list: Asset freeze, Travel Ban, Shipping sanctions, …' },
    date_designated: 'TEXT',
    last_amended: { type: 'TEXT', description: 'The source’s Last Updated' },
    statement_of_reasons: { type: 'TEXT', description: 'Why. Names other people, too: no place to look for names' },
    other_information: 'TEXT',
    ofsi_group_id: { type: 'TEXT', description: 'Number in the list of the Treasury, which ended in January 2026' },
    un_reference_number: { type: 'TEXT', description: 'Where the designation is the UN’s: TAe.010' },
    attributes: { type: 'TEXT', description: 'JSON of columns that the file had and this table has not' },
  },
  key: ['unique_id'],
  title: 'name',
  indexes: [['regime_name'], ['date_designated'], ['un_reference_number']],
  related: [
    relatedBy('names', 'name', ['kind', 'name', 'name_type', 'ordinal']),
    relatedBy('addresses', 'address', ['address', 'ordinal']),
    relatedBy('births', 'birth', ['date', 'town', 'country']),
    relatedBy('identifiers', 'identifier', ['type', 'number', 'note']),
    relatedBy('details', 'detail', ['field', 'value']),
  ],
}

const name: TableDefinition = {
  description: 'Every name of a designation, in Latin letters and in others.',
  surrogate: 'id',
  columns: {
    unique_id: parent,
    name: { type: 'TEXT', description: 'Given names first, family name last' },
    name_type: { type: 'TEXT', description: 'As the source has it: Primary Name, Primary Name Variation, Alias, …' },
    kind: { type: 'TEXT', description: 'primary, original-script, alias or former' },
    strength: { type: 'TEXT', description: 'weak where the source says that an alias is of low quality' },
    ordinal: ofOneText,
    alias_strength: { type: 'TEXT', description: 'As the source has it' },
    title: 'TEXT',
    name_1: 'TEXT',
    name_2: 'TEXT',
    name_3: 'TEXT',
    name_4: 'TEXT',
    name_5: 'TEXT',
    name_6: { type: 'TEXT', description: 'Family name, or the whole name of a firm or ship' },
    script_type: 'TEXT',
    language: 'TEXT',
  },
  key: ['unique_id', 'name', 'name_type', 'ordinal'],
  title: 'name',
}

const address: TableDefinition = {
  description: 'Addresses of a designation.',
  columns: {
    unique_id: parent,
    address: { type: 'TEXT', description: 'All its parts, in one line' },
    ordinal: ofOneText,
    line_1: 'TEXT',
    line_2: 'TEXT',
    line_3: 'TEXT',
    line_4: 'TEXT',
    line_5: 'TEXT',
    line_6: 'TEXT',
    postal_code: 'TEXT',
    country: 'TEXT',
  },
  key: ['unique_id', 'address', 'ordinal'],
}

const birth: TableDefinition = {
  description: 'Dates and places of birth; several are alternatives. What is not known is an empty text.',
  columns: {
    unique_id: parent,
    date: { type: 'TEXT', description: 'YYYY-MM-DD, YYYY-MM or YYYY, as much as is known' },
    town: 'TEXT',
    country: 'TEXT',
  },
  key: ['unique_id', 'date', 'town', 'country'],
}

const identifier: TableDefinition = {
  description: 'Numbers of passports, identity cards, firms and ships. What is not known is an empty text.',
  columns: {
    unique_id: parent,
    type: { type: 'TEXT', description: 'The source’s column: Passport number, IMO number, …' },
    number: 'TEXT',
    note: 'TEXT',
  },
  key: ['unique_id', 'type', 'number', 'note'],
  indexes: [['number']],
}

const detail: TableDefinition = {
  description:
    'Whatever else the rows of a designation say: nationality, position, gender, owner and flag of a ship, …',
  columns: {
    unique_id: parent,
    field: { type: 'TEXT', description: 'The source’s column: Nationality(/ies), Position, Type of ship, …' },
    value: 'TEXT',
  },
  key: ['unique_id', 'field', 'value'],
  indexes: [['field', 'value']],
}

export const tables: PipelineDefinition['tables'] = { designation, name, address, birth, identifier, detail }
