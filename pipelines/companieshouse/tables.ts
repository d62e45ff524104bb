/** Tables of the register: a company with its industries and the names it had. */
import type { PipelineDefinition, TableDefinition } from '../../src/pipeline/types.ts'

const parent = { type: 'TEXT', description: 'company.company_number' } as const

const company: TableDefinition = {
  description: 'One company, partnership or other registered body of the United Kingdom that is still on the register.',
  columns: {
    company_number: { type: 'TEXT', description: 'Eight characters: 08209948, SC606050. Zeros in front belong to it' },
    name: { type: 'TEXT', description: 'Name as registered, in capitals' },
    status: { type: 'TEXT', description: 'Active, Liquidation, In Administration, Active - Proposal to Strike off, …' },
    category: { type: 'TEXT', description: 'Private Limited Company, Limited Partnership, Other company type, …' },
    incorporation_date: 'TEXT',
    dissolution_date: { type: 'TEXT', description: 'Mostly empty: dissolved companies leave the file' },
    country_of_origin: 'TEXT',
    care_of: 'TEXT',
    po_box: 'TEXT',
    address_line_1: { type: 'TEXT', description: 'Registered office, not where the company works' },
    address_line_2: 'TEXT',
    post_town: 'TEXT',
    county: 'TEXT',
    country: 'TEXT',
    post_code: 'TEXT',
    accounts_category: { type: 'TEXT', description: 'Kind of the last accounts: DORMANT, MICRO ENTITY, GROUP, …' },
    account_ref_day: 'INTEGER',
    account_ref_month: 'INTEGER',
    accounts_next_due_date: 'TEXT',
    accounts_last_made_up_date: 'TEXT',
    returns_next_due_date: { type: 'TEXT', description: 'Of annual returns, which ended in 2016' },
    returns_last_made_up_date: 'TEXT',
    confirmation_next_due_date: { type: 'TEXT', description: 'Of confirmation statements' },
    confirmation_last_made_up_date: 'TEXT',
    mortgage_charges: 'INTEGER',
    mortgages_outstanding: 'INTEGER',
    mortgages_part_satisfied: 'INTEGER',
    mortgages_satisfied: 'INTEGER',
    general_partners: { type: 'INTEGER', description: 'Of limited partnerships' },
    limited_partners: 'INTEGER',
    uri: { type: 'TEXT', description: 'The publisher’s own address of the company' },
    attributes: { type: 'TEXT', description: 'JSON of columns that the file had and this table has not' },
  },
  key: ['company_number'],
  title: 'name',
  indexes: [['post_code'], ['status'], ['incorporation_date']],
  related: [
    { name: 'industries', table: 'sic', on: { company_number: 'company_number' }, orderBy: ['ordinal'] },
    { name: 'previous_names', table: 'previous_name', on: { company_number: 'company_number' }, orderBy: ['ordinal'] },
  ],
}

const sic: TableDefinition = {
  description: 'What a company says it does: up to four codes of the UK Standard Industrial Classification of 2007.',
  columns: {
    company_number: parent,
    ordinal: { type: 'INTEGER', description: 'Place in the company’s list, from 1' },
    code: {
      type: 'TEXT',
      description: 'Four or five digits; empty where the file has only words, such as None Supplied',
    },
    description: 'TEXT',
  },
  key: ['company_number', 'ordinal'],
  title: 'description',
  indexes: [['code']],
}

const previousName: TableDefinition = {
  description: 'Up to ten names that a company had before, the latest first.',
  surrogate: 'id',
  columns: {
    company_number: parent,
    ordinal: { type: 'INTEGER', description: 'Place in the company’s list, from 1' },
    changed_on: { type: 'TEXT', description: 'When the name ceased to hold' },
    name: 'TEXT',
  },
  key: ['company_number', 'ordinal'],
  title: 'name',
}

export const tables: PipelineDefinition['tables'] = { company, sic, previous_name: previousName }
