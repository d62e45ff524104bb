/** Columns of the publisher's CSV files that have a column of their own here. Each must be in the header. */

type Columns = Readonly<Record<string, string>>

const addressParts: Columns = {
  language: 'xmllang',
  first_line: 'FirstAddressLine',
  number: 'AddressNumber',
  number_within_building: 'AddressNumberWithinBuilding',
  mail_routing: 'MailRouting',
  line_1: 'AdditionalAddressLine.1',
  line_2: 'AdditionalAddressLine.2',
  line_3: 'AdditionalAddressLine.3',
  city: 'City',
  region: 'Region',
  country: 'Country',
  postal_code: 'PostalCode',
}

const addressOf = (prefix: string, element: string): Columns =>
  Object.fromEntries(
    Object.entries(addressParts).map(([column, part]) => [`${prefix}_${column}`, `Entity.${element}.${part}`]),
  )

const registration: Columns = {
  initial_registration_date: 'Registration.InitialRegistrationDate',
  last_update_date: 'Registration.LastUpdateDate',
  registration_status: 'Registration.RegistrationStatus',
  next_renewal_date: 'Registration.NextRenewalDate',
  managing_lou: 'Registration.ManagingLOU',
  validation_sources: 'Registration.ValidationSources',
}

export const leiColumns: Columns = {
  lei: 'LEI',
  legal_name: 'Entity.LegalName',
  legal_name_language: 'Entity.LegalName.xmllang',
  ...addressOf('legal', 'LegalAddress'),
  ...addressOf('headquarters', 'HeadquartersAddress'),
  registration_authority_id: 'Entity.RegistrationAuthority.RegistrationAuthorityID',
  other_registration_authority_id: 'Entity.RegistrationAuthority.OtherRegistrationAuthorityID',
  registration_authority_entity_id: 'Entity.RegistrationAuthority.RegistrationAuthorityEntityID',
  jurisdiction: 'Entity.LegalJurisdiction',
  category: 'Entity.EntityCategory',
  sub_category: 'Entity.EntitySubCategory',
  legal_form_code: 'Entity.LegalForm.EntityLegalFormCode',
  other_legal_form: 'Entity.LegalForm.OtherLegalForm',
  associated_entity_type: 'Entity.AssociatedEntity.type',
  associated_lei: 'Entity.AssociatedEntity.AssociatedLEI',
  associated_entity_name: 'Entity.AssociatedEntity.AssociatedEntityName',
  entity_status: 'Entity.EntityStatus',
  creation_date: 'Entity.EntityCreationDate',
  expiration_date: 'Entity.EntityExpirationDate',
  expiration_reason: 'Entity.EntityExpirationReason',
  ...registration,
  validation_authority_id: 'Registration.ValidationAuthority.ValidationAuthorityID',
  other_validation_authority_id: 'Registration.ValidationAuthority.OtherValidationAuthorityID',
  validation_authority_entity_id: 'Registration.ValidationAuthority.ValidationAuthorityEntityID',
  conformity_flag: 'ConformityFlag',
}

export const relationshipColumns: Columns = {
  start_lei: 'Relationship.StartNode.NodeID',
  start_id_type: 'Relationship.StartNode.NodeIDType',
  end_lei: 'Relationship.EndNode.NodeID',
  end_id_type: 'Relationship.EndNode.NodeIDType',
  type: 'Relationship.RelationshipType',
  status: 'Relationship.RelationshipStatus',
  ...registration,
  validation_documents: 'Registration.ValidationDocuments',
  validation_reference: 'Registration.ValidationReference',
}

export const exceptionColumns: Columns = { lei: 'LEI', category: 'Exception.Category' }

/** Where entities have several of a kind, in numbered slots, the first of which must be in the header. */
const firstSlots = {
  lei: [
    'Entity.OtherEntityNames.OtherEntityName.1',
    'Entity.OtherEntityNames.OtherEntityName.1.type',
    'Entity.TransliteratedOtherEntityNames.TransliteratedOtherEntityName.1',
  ],
  relationship: [
    'Relationship.Period.1.startDate',
    'Relationship.Period.1.endDate',
    'Relationship.Period.1.periodType',
  ],
  exception: ['Exception.Reason.1'],
}

/** Newer than the others: a file of some years ago, which has them not, can still be read. */
const newer = new Set(['sub_category', 'creation_date', 'conformity_flag'])

const requiredOf = (columns: Columns, slots: readonly string[]): readonly string[] => [
  ...Object.entries(columns)
    .filter(([column]) => !newer.has(column))
    .map(([, source]) => source),
  ...slots,
]

export const requiredColumns = {
  lei: requiredOf(leiColumns, firstSlots.lei),
  relationship: requiredOf(relationshipColumns, firstSlots.relationship),
  exception: requiredOf(exceptionColumns, firstSlots.exception),
}

const namesByColumn = (columns: Columns): ReadonlyMap<string, string> =>
  new Map(Object.entries(columns).map(([column, source]) => [source, column]))

/** Column of the file → column here, by table. */
export const columnBySource = {
  lei: namesByColumn(leiColumns),
  relationship: namesByColumn(relationshipColumns),
  exception: namesByColumn(exceptionColumns),
}

export type MainTable = keyof typeof columnBySource

/** Part of an address in a slot → column here. */
export const addressPartColumns: ReadonlyMap<string, string> = namesByColumn(addressParts)
