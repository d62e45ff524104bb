/** Which attribute of an element is in which column of its table. */

const country = { country_iso2_code: 'countryIso2Code', country: 'countryDescription' }
const place = { city: 'city', zip_code: 'zipCode', region: 'region', place: 'place', ...country }

export const nameColumns = {
  first_name: 'firstName',
  middle_name: 'middleName',
  last_name: 'lastName',
  function: 'function',
  gender: 'gender',
  title: 'title',
  language: 'nameLanguage',
}

export const addressColumns = { street: 'street', po_box: 'poBox', ...place, as_at_listing_time: 'asAtListingTime' }

export const birthColumns = {
  date: 'birthdate',
  year: 'year',
  month: 'monthOfYear',
  day: 'dayOfMonth',
  year_from: 'yearRangeFrom',
  year_to: 'yearRangeTo',
  circa: 'circa',
  calendar: 'calendarType',
  ...place,
}

export const citizenshipColumns = { region: 'region', ...country }

export const identificationColumns = {
  type_code: 'identificationTypeCode',
  type: 'identificationTypeDescription',
  number: 'number',
  latin_number: 'latinNumber',
  name_on_document: 'nameOnDocument',
  issued_by: 'issuedBy',
  issue_date: 'issueDate',
  valid_from: 'validFrom',
  valid_to: 'validTo',
  region: 'region',
  ...country,
  diplomatic: 'diplomatic',
  known_expired: 'knownExpired',
  known_false: 'knownFalse',
  reported_lost: 'reportedLost',
  revoked_by_issuer: 'revokedByIssuer',
}

export const regulationColumns = {
  regulation_type: 'regulationType',
  organisation_type: 'organisationType',
  publication_date: 'publicationDate',
  entry_into_force_date: 'entryIntoForceDate',
  number_title: 'numberTitle',
  programme: 'programme',
}

/** Of the regulation that brought a name, an address and so on; in every table of such. */
export const summaryColumns = {
  regulation_type: 'regulationType',
  regulation: 'numberTitle',
  regulation_date: 'publicationDate',
  regulation_url: 'publicationUrl',
}
