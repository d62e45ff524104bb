/** One line of the source, a company, becomes one company row and its officers, previous names and registrations. */
import type { FieldReader, MapContext, Row } from '../../src/pipeline/types.ts'

/** Five digits between a comma and the town, as 90 % of the addresses have them. */
const postcodePattern = /,\s*(\d{5})\s+\S/

type Leftovers = Readonly<Record<string, unknown>>

/** What has no column of its own, in the source's shape, so that nothing is lost. */
const leftovers = (
  parts: Readonly<Record<string, Leftovers | null | undefined>>,
  own: Leftovers | null,
): string | null => {
  const nested = Object.entries(parts).filter(([, left]) => left !== null && left !== undefined)
  return nested.length === 0 && own === null ? null : JSON.stringify({ ...own, ...Object.fromEntries(nested) })
}

export const mapCompany = (company: FieldReader, context: MapContext): void => {
  const number = company.requiredText('company_number')
  const attributes = company.object('all_attributes')
  const address = company.text('registered_address')
  const retrievedAt = company.text('retrieved_at')
  const officers = company.list('officers')
  const previousNames = company.list('previous_names')
  const registrations = company.list('subsequent_registrations')
  if (retrievedAt !== null) context.publisherDate(retrievedAt)
  context.emit('company', {
    company_number: number,
    name: company.requiredText('name'),
    jurisdiction_code: company.text('jurisdiction_code'),
    current_status: company.text('current_status'),
    register_art: attributes?.text('_registerArt') ?? null,
    register_nummer: attributes?.text('_registerNummer') ?? null,
    register_nummer_suffix: attributes?.text('_registerNummerSuffix') ?? null,
    native_company_number: attributes?.text('native_company_number') ?? null,
    registrar: attributes?.text('registrar') ?? null,
    former_registrar: attributes?.text('former_registrar') ?? null,
    registered_office: attributes?.text('registered_office') ?? null,
    federal_state: attributes?.text('federal_state') ?? null,
    registered_address: address,
    postcode: address === null ? null : (postcodePattern.exec(address)?.[1] ?? null),
    retrieved_at: retrievedAt,
    flags: attributes?.json('additional_data') ?? null,
    attributes: leftovers({ all_attributes: attributes?.rest() }, company.rest()),
  })
  for (const [index, each] of officers.entries()) context.emit('officer', officerRow(each, number, index + 1))
  for (const [index, each] of previousNames.entries()) {
    context.emit('previous_name', previousNameRow(each, number, index + 1))
  }
  for (const [index, each] of registrations.entries()) {
    context.emit('registrations', registrationRow(each, number, index + 1))
  }
}

const officerRow = (officer: FieldReader, company: string, ordinal: number): Row => {
  const other = officer.object('other_attributes')
  return {
    company_id: company,
    ordinal,
    name: officer.text('name'),
    position: officer.text('position'),
    type: officer.text('type'),
    firstname: other?.text('firstname') ?? null,
    lastname: other?.text('lastname') ?? null,
    title: other?.text('title') ?? null,
    maidenname: other?.text('maidenname') ?? null,
    city: other?.text('city') ?? null,
    flag: other?.text('flag') ?? null,
    dismissed: other?.flag('dismissed') ?? null,
    start_date: officer.text('start_date'),
    end_date: officer.text('end_date'),
    reference_no: other?.text('reference_no') ?? null,
    attributes: leftovers({ other_attributes: other?.rest() }, officer.rest()),
  }
}

const previousNameRow = (previous: FieldReader, company: string, ordinal: number): Row => ({
  company_id: company,
  ordinal,
  company_name: previous.text('company_name'),
  attributes: leftovers({}, previous.rest()),
})

/** An entity of a registration: `{entity_type, entity_properties: {company_number, jurisdiction_code}}`. */
const entityColumns = (
  registration: FieldReader,
  kind: 'alternate' | 'previous' | 'subsequent',
): [Row, Leftovers | null] => {
  const entity = registration.object(`${kind}_entity`)
  const properties = entity?.object('entity_properties')
  const row = {
    [`${kind}_company_number`]: properties?.text('company_number') ?? null,
    [`${kind}_jurisdiction_code`]: properties?.text('jurisdiction_code') ?? null,
    [`${kind}_entity_type`]: entity?.text('entity_type') ?? null,
  }
  const left = leftovers({ entity_properties: properties?.rest() }, entity?.rest() ?? null)
  return [row, left === null ? null : { [`${kind}_entity`]: JSON.parse(left) }]
}

const registrationRow = (registration: FieldReader, company: string, ordinal: number): Row => {
  const [alternate, alternateLeft] = entityColumns(registration, 'alternate')
  const [previous, previousLeft] = entityColumns(registration, 'previous')
  const [subsequent, subsequentLeft] = entityColumns(registration, 'subsequent')
  const row = {
    company_id: company,
    ordinal,
    ...previous,
    ...subsequent,
    ...alternate,
    confidence: registration.text('confidence'),
    data_type: registration.text('data_type'),
    publication_date: registration.text('publication_date'),
    retrieved_at: registration.text('retrieved_at'),
    sample_date: registration.text('sample_date'),
    source_url: registration.text('source_url'),
    start_date: registration.text('start_date'),
    start_date_type: registration.text('start_date_type'),
    previous_registration_end_date: registration.text('previous_registration_end_date'),
    subsequent_registration_start_date: registration.text('subsequent_registration_start_date'),
  }
  const left = { ...alternateLeft, ...previousLeft, ...subsequentLeft }
  const own = registration.rest()
  return {
    ...row,
    attributes: own === null && Object.keys(left).length === 0 ? null : JSON.stringify({ ...own, ...left }),
  }
}
