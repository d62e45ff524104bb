/** Tables of the UN list: an entry with its names, addresses, dates and places of birth, and documents. */
import type { PipelineDefinition, TableDefinition } from '../../src/pipeline/types.ts'

const parent = { type: 'TEXT', description: 'entry.reference_number' } as const
const ordinal = {
  type: 'INTEGER',
  description: 'Place in the entry’s list, from 1; empty elements do not count',
} as const
const partOf = ['reference_number', 'ordinal']

const partsOfEntry = ['name', 'address', 'birth_date', 'birth_place', 'document'] as const
const relatedName = {
  name: 'names',
  address: 'addresses',
  birth_date: 'birth_dates',
  birth_place: 'birth_places',
  document: 'documents',
} as const

const entry: TableDefinition = {
  description: 'One person, or one group or firm, under sanctions of the Security Council.',
  columns: {
    reference_number: { type: 'TEXT', description: 'Permanent reference number: QDi.001 (i: individual, e: entity)' },
    dataid: { type: 'INTEGER', description: 'The source’s own number of the entry' },
    type: { type: 'TEXT', description: 'individual or entity' },
    name: { type: 'TEXT', description: 'First to fourth name in their order, as the list has them' },
    first_name: 'TEXT',
    second_name: 'TEXT',
    third_name: 'TEXT',
    fourth_name: 'TEXT',
    name_original_script: 'TEXT',
    un_list_type: { type: 'TEXT', description: 'Sanctions regime: Al-Qaida, DPRK, Taliban, …' },
    list_type: 'TEXT',
    listed_on: { type: 'TEXT', description: 'Date of listing' },
    last_amended: { type: 'TEXT', description: 'Latest of the dates on which the entry was amended' },
    amendments: { type: 'TEXT', description: 'JSON list of all those dates, as the source orders them' },
    gender: 'TEXT',
    titles: { type: 'TEXT', description: 'JSON list: Maulavi, Haji, Major General, …' },
    designations: { type: 'TEXT', description: 'JSON list of posts held' },
    nationalities: { type: 'TEXT', description: 'JSON list of countries' },
    comments: { type: 'TEXT', description: 'Why and how the entry is on the list. Names in it may be anybody’s' },
    versionnum: 'INTEGER',
    attributes: { type: 'TEXT', description: 'JSON of source elements that have no column, in their own shape' },
  },
  key: ['reference_number'],
  title: 'name',
  indexes: [['un_list_type'], ['dataid']],
  related: partsOfEntry.map((table) => ({
    name: relatedName[table],
    table,
    on: { reference_number: 'reference_number' },
    orderBy: ['ordinal'],
  })),
}

const name: TableDefinition = {
  description:
    'Every name of an entry, each on its own: the list’s own name, that in the original script, and aliases.',
  surrogate: 'id',
  columns: {
    reference_number: parent,
    ordinal,
    name: 'TEXT',
    kind: { type: 'TEXT', description: 'primary, original-script, alias or former' },
    strength: { type: 'TEXT', description: 'weak where the source calls an alias Low, otherwise strong' },
    quality: { type: 'TEXT', description: 'As the source has it: Good, Low, a.k.a. or f.k.a.' },
    note: 'TEXT',
    date_of_birth: { type: 'TEXT', description: 'That goes with this alias only' },
    city_of_birth: 'TEXT',
    country_of_birth: 'TEXT',
  },
  key: partOf,
  title: 'name',
}

const address: TableDefinition = {
  description: 'Addresses of an entry, where the source says more of one than nothing.',
  columns: {
    reference_number: parent,
    ordinal,
    street: 'TEXT',
    city: 'TEXT',
    state_province: 'TEXT',
    zip_code: { type: 'TEXT', description: 'May hold text' },
    country: 'TEXT',
    note: { type: 'TEXT', description: 'previous address, as of June 2016, …' },
  },
  key: partOf,
}

const birthDate: TableDefinition = {
  description: 'Dates of birth: exact, approximate, or between two years. Several are alternatives.',
  columns: {
    reference_number: parent,
    ordinal,
    type_of_date: { type: 'TEXT', description: 'EXACT (a year alone can be, too), APPROXIMATELY or BETWEEN' },
    date: 'TEXT',
    year: 'TEXT',
    from_year: 'TEXT',
    to_year: 'TEXT',
    note: 'TEXT',
  },
  key: partOf,
}

const birthPlace: TableDefinition = {
  description: 'Places of birth. Several are alternatives; which date goes with which place the source does not say.',
  columns: {
    reference_number: parent,
    ordinal,
    street: 'TEXT',
    city: 'TEXT',
    state_province: 'TEXT',
    country: 'TEXT',
    note: 'TEXT',
  },
  key: partOf,
}

const document: TableDefinition = {
  description: 'Passports, identity cards and other documents of a person.',
  columns: {
    reference_number: parent,
    ordinal,
    type_of_document: 'TEXT',
    type_of_document2: { type: 'TEXT', description: 'More exact, where the source says so' },
    number: 'TEXT',
    issuing_country: 'TEXT',
    country_of_issue: 'TEXT',
    city_of_issue: 'TEXT',
    date_of_issue: 'TEXT',
    note: 'TEXT',
  },
  key: partOf,
  indexes: [['number']],
}

export const tables: PipelineDefinition['tables'] = {
  entry,
  name,
  address,
  birth_date: birthDate,
  birth_place: birthPlace,
  document,
}
