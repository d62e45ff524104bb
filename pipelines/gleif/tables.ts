/** Tables of the golden copy: legal entities, who consolidates them, and why some name no parent. */
import type { ColumnDefinition, PipelineDefinition, TableDefinition } from '../../src/pipeline/types.ts'

const parent = { type: 'TEXT', description: 'lei.lei' } as const
const ordinal = {
  type: 'INTEGER',
  description: 'From 1, in an order of our own: the publisher’s slots mean nothing',
} as const
const other = { type: 'TEXT', description: 'JSON of filled columns of the file that have no column here' } as const

const addressColumns = (prefix: string): Readonly<Record<string, ColumnDefinition>> => ({
  [`${prefix}language`]: 'TEXT',
  [`${prefix}first_line`]: { type: 'TEXT', description: 'Street and number, or a care-of line' },
  [`${prefix}number`]: { type: 'TEXT', description: 'Where it is given apart from the line' },
  [`${prefix}number_within_building`]: 'TEXT',
  [`${prefix}mail_routing`]: 'TEXT',
  [`${prefix}line_1`]: { type: 'TEXT', description: 'Further lines' },
  [`${prefix}line_2`]: 'TEXT',
  [`${prefix}line_3`]: 'TEXT',
  [`${prefix}city`]: 'TEXT',
  [`${prefix}region`]: { type: 'TEXT', description: 'ISO 3166-2: DE-BY, US-DE' },
  [`${prefix}country`]: { type: 'TEXT', description: 'ISO 3166-1: DE, US' },
  [`${prefix}postal_code`]: 'TEXT',
})

const registration: Readonly<Record<string, ColumnDefinition>> = {
  initial_registration_date: 'TEXT',
  last_update_date: { type: 'TEXT', description: 'When the record was changed last' },
  registration_status: {
    type: 'TEXT',
    description:
      'Of the record, not of the entity: ISSUED, LAPSED (not renewed), RETIRED, MERGED, DUPLICATE, ANNULLED, …; of relationships PUBLISHED, LAPSED, …',
  },
  next_renewal_date: 'TEXT',
  managing_lou: { type: 'TEXT', description: 'LEI of the organisation that issued and manages it' },
  validation_sources: {
    type: 'TEXT',
    description: 'FULLY_CORROBORATED, PARTIALLY_CORROBORATED, ENTITY_SUPPLIED_ONLY, PENDING',
  },
}

const related = (name: string, table: string, orderBy: readonly string[], column = 'lei') => ({
  name,
  table,
  on: { [column]: 'lei' },
  orderBy,
})

const lei: TableDefinition = {
  description: 'One legal entity with its Legal Entity Identifier: a company, branch, fund, trust, government body, …',
  columns: {
    lei: { type: 'TEXT', description: '20 letters and digits, the last two a checksum (ISO 17442)' },
    legal_name: { type: 'TEXT', description: 'In its own script; others are in other_name' },
    legal_name_language: 'TEXT',
    ...addressColumns('legal_'),
    ...addressColumns('headquarters_'),
    registration_authority_id: {
      type: 'TEXT',
      description: 'The business register, by GLEIF’s code: RA000585 is Companies House, RA000242 … German courts',
    },
    other_registration_authority_id: { type: 'TEXT', description: 'A register that has no such code' },
    registration_authority_entity_id: { type: 'TEXT', description: 'The entity’s number in that register' },
    jurisdiction: { type: 'TEXT', description: 'Whose law it is under: DE, US-DE' },
    category: {
      type: 'TEXT',
      description: 'GENERAL, FUND, BRANCH, SOLE_PROPRIETOR, RESIDENT_GOVERNMENT_ENTITY, INTERNATIONAL_ORGANIZATION',
    },
    sub_category: 'TEXT',
    legal_form_code: { type: 'TEXT', description: 'ISO 20275: 2HBR is a GmbH; 8888 means see other_legal_form' },
    other_legal_form: 'TEXT',
    associated_entity_type: 'TEXT',
    associated_lei: 'TEXT',
    associated_entity_name: 'TEXT',
    entity_status: { type: 'TEXT', description: 'ACTIVE, INACTIVE or NULL: whether the entity itself still exists' },
    creation_date: 'TEXT',
    expiration_date: 'TEXT',
    expiration_reason: 'TEXT',
    ...registration,
    validation_authority_id: 'TEXT',
    other_validation_authority_id: 'TEXT',
    validation_authority_entity_id: 'TEXT',
    conformity_flag: { type: 'TEXT', description: 'CONFORMING, NON_CONFORMING or NOT_APPLICABLE' },
    other,
  },
  key: ['lei'],
  title: 'legal_name',
  indexes: [
    ['legal_name'],
    ['legal_country', 'legal_city'],
    ['registration_authority_entity_id', 'registration_authority_id'],
  ],
  // Not its children: a manager of funds has thousands. The query childrenOf lists them.
  related: [
    related('other_names', 'other_name', ['ordinal']),
    related('other_addresses', 'other_address', ['ordinal']),
    related('successors', 'successor', ['ordinal']),
    related('events', 'event', ['ordinal']),
    related('parents', 'relationship', ['type', 'end_lei'], 'start_lei'),
    related('parent_periods', 'relationship_period', ['type', 'end_lei', 'period_type', 'ordinal'], 'start_lei'),
    related('exceptions', 'exception', ['category']),
  ],
}

const otherName: TableDefinition = {
  description:
    'Trading names, previous legal names, names in other languages, and transliterations into Latin letters.',
  surrogate: 'id',
  columns: {
    lei: parent,
    ordinal,
    kind: { type: 'TEXT', description: 'other or transliterated' },
    type: {
      type: 'TEXT',
      description:
        'PREVIOUS_LEGAL_NAME, TRADING_OR_OPERATING_NAME, ALTERNATIVE_LANGUAGE_LEGAL_NAME, AUTO_ASCII_TRANSLITERATED_LEGAL_NAME, …',
    },
    name: 'TEXT',
    language: 'TEXT',
  },
  key: ['lei', 'ordinal'],
  title: 'name',
}

const otherAddress: TableDefinition = {
  description: 'Legal and headquarters addresses in other languages, or transliterated. The main ones are in lei.',
  columns: {
    lei: parent,
    ordinal,
    kind: { type: 'TEXT', description: 'other or transliterated' },
    type: { type: 'TEXT', description: 'ALTERNATIVE_LANGUAGE_HEADQUARTERS_ADDRESS, AUTO_ASCII_TRANSLITERATED_…' },
    ...addressColumns(''),
  },
  key: ['lei', 'ordinal'],
}

const successor: TableDefinition = {
  description: 'Into which entity one was merged or turned.',
  columns: { lei: parent, ordinal, successor_lei: 'TEXT', name: 'TEXT', language: 'TEXT' },
  key: ['lei', 'ordinal'],
  title: 'name',
  indexes: [['successor_lei']],
}

const event: TableDefinition = {
  description: 'What happened to an entity: a change of name or address, a merger, a liquidation, …',
  columns: {
    lei: parent,
    ordinal,
    type: { type: 'TEXT', description: 'CHANGE_LEGAL_NAME, MERGERS_AND_ACQUISITIONS, LIQUIDATION, DISSOLUTION, …' },
    status: { type: 'TEXT', description: 'COMPLETED, IN_PROGRESS or WITHDRAWN_CANCELLED' },
    effective_date: 'TEXT',
    recorded_date: 'TEXT',
    validation_documents: 'TEXT',
    validation_reference: 'TEXT',
    group_type: 'TEXT',
    group_id: 'TEXT',
    group_sequence_no: 'TEXT',
    affected_fields: { type: 'TEXT', description: 'JSON, as the publisher names them' },
  },
  key: ['lei', 'ordinal'],
  title: 'type',
}

const relationshipKey: Readonly<Record<string, ColumnDefinition>> = {
  start_lei: { type: 'TEXT', description: 'lei.lei of the child, branch or fund' },
  end_lei: { type: 'TEXT', description: 'lei.lei of the parent, head office or manager' },
  type: {
    type: 'TEXT',
    description:
      'IS_DIRECTLY_CONSOLIDATED_BY, IS_ULTIMATELY_CONSOLIDATED_BY, IS_FUND-MANAGED_BY, IS_SUBFUND_OF, IS_FEEDER_TO, IS_INTERNATIONAL_BRANCH_OF',
  },
}

const relationship: TableDefinition = {
  description:
    'Who an entity belongs to, as it reported: its direct and ultimate accounting parent, its head office, or the manager and umbrella of a fund.',
  columns: {
    ...relationshipKey,
    start_id_type: 'TEXT',
    end_id_type: { type: 'TEXT', description: 'LEI, mostly' },
    status: { type: 'TEXT', description: 'ACTIVE, INACTIVE or NULL' },
    relationship_start: { type: 'TEXT', description: 'Of its RELATIONSHIP_PERIOD, whichever slot that stands in' },
    relationship_end: { type: 'TEXT', description: 'Empty as long as it lasts' },
    qualifiers: { type: 'TEXT', description: 'JSON list: accounting standard' },
    quantifiers: { type: 'TEXT', description: 'JSON list: measured shares' },
    ...registration,
    validation_documents: 'TEXT',
    validation_reference: 'TEXT',
    other,
  },
  key: ['start_lei', 'end_lei', 'type'],
  title: 'type',
  indexes: [['end_lei', 'type']],
  related: [
    {
      name: 'periods',
      table: 'relationship_period',
      on: { start_lei: 'start_lei', end_lei: 'end_lei', type: 'type' },
      orderBy: ['period_type', 'ordinal'],
    },
  ],
}

const relationshipPeriod: TableDefinition = {
  description: 'Periods of a relationship: how long it lasts, which year was accounted, when documents were filed.',
  columns: {
    ...relationshipKey,
    period_type: { type: 'TEXT', description: 'RELATIONSHIP_PERIOD, ACCOUNTING_PERIOD or DOCUMENT_FILING_PERIOD' },
    ordinal: { type: 'INTEGER', description: 'Among periods of one type, the earliest first' },
    start_date: 'TEXT',
    end_date: 'TEXT',
  },
  key: ['start_lei', 'end_lei', 'type', 'period_type', 'ordinal'],
  title: 'period_type',
}

const exception: TableDefinition = {
  description: 'Why an entity names no direct or ultimate parent.',
  columns: {
    lei: parent,
    category: {
      type: 'TEXT',
      description: 'DIRECT_ACCOUNTING_CONSOLIDATION_PARENT or ULTIMATE_ACCOUNTING_CONSOLIDATION_PARENT',
    },
    reasons: {
      type: 'TEXT',
      description: 'JSON list: NATURAL_PERSONS, NON_CONSOLIDATING, NO_KNOWN_PERSON, NO_LEI, NON_PUBLIC, …',
    },
    reference_texts: {
      type: 'TEXT',
      description: 'JSON list: the law that forbids to name it, or the parent in words',
    },
    other,
  },
  key: ['lei', 'category'],
  title: 'category',
}

export const tables: PipelineDefinition['tables'] = {
  lei,
  other_name: otherName,
  other_address: otherAddress,
  successor,
  event,
  relationship,
  relationship_period: relationshipPeriod,
  exception,
}
