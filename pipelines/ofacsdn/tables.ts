/** Tables under the publisher's names, which people know, and beside them what the remarks say. */
import type { PipelineDefinition, TableDefinition } from '../../src/pipeline/types.ts'

const parent = { type: 'INTEGER', description: 'sdn.ent_num' } as const
const ordinal = { type: 'INTEGER', description: 'Place in the remarks, from 1' } as const

const ofOneNumber = {
  type: 'INTEGER',
  description: '1; more where the source has several under one number that differ',
} as const

const relatedBy = (name: string, table: string, orderBy: readonly string[]) => ({
  name,
  table,
  on: { ent_num: 'ent_num' },
  orderBy,
})

const sdn: TableDefinition = {
  description: 'One person, firm or group, vessel or aircraft on the SDN list or the consolidated list: see listing.',
  columns: {
    ent_num: { type: 'INTEGER', description: 'The publisher’s number of the entry, the same on both lists' },
    sdn_name: { type: 'TEXT', description: 'Of people: LAST NAME, First names' },
    sdn_type: { type: 'TEXT', description: 'individual, vessel, aircraft, or entity (where the source has nothing)' },
    program: { type: 'TEXT', description: 'As the source has it, several as SDGT] [IFSR' },
    programs: { type: 'TEXT', description: 'JSON list of the same' },
    title: 'TEXT',
    call_sign: 'TEXT',
    vess_type: 'TEXT',
    tonnage: 'TEXT',
    grt: 'TEXT',
    vess_flag: 'TEXT',
    vess_owner: 'TEXT',
    remarks: { type: 'TEXT', description: 'Whole, with the end that the source keeps in sdn_comments' },
    nationalities: { type: 'TEXT', description: 'JSON list of nationalities and citizenships in the remarks' },
    gender: { type: 'TEXT', description: 'Out of the remarks' },
  },
  key: ['ent_num'],
  title: 'sdn_name',
  indexes: [['sdn_type']],
  related: [
    relatedBy('listings', 'listing', ['list']),
    relatedBy('names', 'name', ['kind', 'origin', 'number', 'ordinal']),
    relatedBy('addresses', 'address', ['add_num', 'ordinal']),
    relatedBy('births', 'birth', ['ordinal']),
    relatedBy('identifiers', 'identifier', ['ordinal']),
  ],
}

const listing: TableDefinition = {
  description: 'Which of the two lists an entry is on, with what that list says.',
  columns: {
    ent_num: parent,
    list: { type: 'TEXT', description: 'SDN, or consolidated (non-SDN lists)' },
    program: 'TEXT',
    remarks: { type: 'TEXT', description: 'Of an entry on both lists, what the consolidated one says; see sdn else' },
    otherwise: { type: 'TEXT', description: 'JSON of what else the consolidated list says otherwise than sdn' },
  },
  key: ['ent_num', 'list'],
}

const address: TableDefinition = {
  description: 'Addresses. Where nothing is known of one, the source has a row that holds nothing.',
  columns: {
    ent_num: parent,
    add_num: { type: 'INTEGER', description: 'The publisher’s number of the address' },
    ordinal: ofOneNumber,
    address: 'TEXT',
    city_state_province: { type: 'TEXT', description: 'City, state or province and postal code, in one text' },
    country: 'TEXT',
    add_remarks: 'TEXT',
  },
  key: ['ent_num', 'add_num', 'ordinal'],
}

const altName: TableDefinition = {
  description: 'Alternative names that the publisher holds for strong. Weak ones are in the remarks, and in name.',
  columns: {
    ent_num: parent,
    alt_num: { type: 'INTEGER', description: 'The publisher’s number of the name' },
    ordinal: ofOneNumber,
    alt_type: { type: 'TEXT', description: 'aka (also), fka (formerly) or nka (now known as)' },
    alt_name: 'TEXT',
    alt_remarks: 'TEXT',
  },
  key: ['ent_num', 'alt_num', 'ordinal'],
  title: 'alt_name',
}

const sdnComments: TableDefinition = {
  description: 'Ends of remarks of more than 1,000 characters, as the source has them; sdn.remarks is whole already.',
  columns: { ent_num: parent, ordinal: ofOneNumber, remarks: 'TEXT' },
  key: ['ent_num', 'ordinal'],
}

const name: TableDefinition = {
  description: 'Every name of an entry: its own, alternative ones, and the weak ones out of the remarks.',
  surrogate: 'id',
  columns: {
    ent_num: parent,
    origin: { type: 'TEXT', description: 'sdn, alt_name or remarks' },
    number: { type: 'INTEGER', description: 'alt_num of alternative names, place in the remarks of weak ones' },
    ordinal: ofOneNumber,
    name: 'TEXT',
    type: { type: 'TEXT', description: 'aka, fka or nka' },
    kind: { type: 'TEXT', description: 'primary, alias or former' },
    strength: { type: 'TEXT', description: 'weak where the publisher has a name in the remarks only' },
    note: 'TEXT',
  },
  key: ['ent_num', 'origin', 'number', 'ordinal'],
  title: 'name',
}

const birth: TableDefinition = {
  description: 'Dates and places of birth out of the remarks. Several are alternatives.',
  columns: {
    ent_num: parent,
    ordinal: { type: 'INTEGER', description: 'Dates first, then places' },
    date: { type: 'TEXT', description: 'YYYY-MM-DD, YYYY-MM or YYYY, as much as is known' },
    date_to: { type: 'TEXT', description: 'Where the source says from one date to another' },
    circa: { type: 'INTEGER', description: '1 where the date is not exact' },
    place: 'TEXT',
    text: { type: 'TEXT', description: 'As the remarks have it' },
  },
  key: ['ent_num', 'ordinal'],
}

const identifier: TableDefinition = {
  description: 'Numbers out of the remarks: passports, tax numbers, registers, ships, digital currency addresses.',
  columns: {
    ent_num: parent,
    ordinal,
    type: { type: 'TEXT', description: 'Passport, Tax ID No., Digital Currency Address - XBT, …' },
    number: 'TEXT',
    country: 'TEXT',
    note: { type: 'TEXT', description: 'issued and expires' },
  },
  key: ['ent_num', 'ordinal'],
  indexes: [['number']],
}

export const tables: PipelineDefinition['tables'] = {
  sdn,
  listing,
  address,
  alt_name: altName,
  sdn_comments: sdnComments,
  name,
  birth,
  identifier,
}
