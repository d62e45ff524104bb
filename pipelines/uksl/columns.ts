/** The 58 columns of the file, by what they are about. All must be there: a renamed one is not read as if it were empty. */

/** The same in every row of a designation; where a row says otherwise, it is kept as a detail. */
export const ownColumns = {
  ofsi_group_id: 'OFSI Group ID',
  un_reference_number: 'UN Reference Number',
  regime_name: 'Regime Name',
  designation_type: 'Designation Type',
  designation_source: 'Designation source',
  sanctions_imposed: 'Sanctions Imposed',
  other_information: 'Other Information',
  statement_of_reasons: 'UK Statement of Reasons',
  date_designated: 'Date Designated',
  last_amended: 'Last Updated',
} as const

/** Given names first, the family name or the whole name of a firm or ship last, whatever the numbers suggest. */
export const nameColumns = ['Name 1', 'Name 2', 'Name 3', 'Name 4', 'Name 5', 'Name 6'] as const

export const nameDetailColumns = { alias_strength: 'Alias strength', title: 'Title' } as const

export const scriptColumns = { script_type: 'Non-latin script type', language: 'Non-latin script language' } as const

export const addressColumns = {
  line_1: 'Address Line 1',
  line_2: 'Address Line 2',
  line_3: 'Address Line 3',
  line_4: 'Address Line 4',
  line_5: 'Address Line 5',
  line_6: 'Address Line 6',
  postal_code: 'Address Postal Code',
  country: 'Address Country',
} as const

export const birthColumns = { date: 'D.O.B', town: 'Town of birth', country: 'Country of birth' } as const

/** Columns with a number that identifies somebody, and those that say more about it. */
export const identifierColumns: readonly { readonly number: string; readonly note?: string }[] = [
  { number: 'National Identifier number', note: 'National Identifier additional information' },
  { number: 'Passport number', note: 'Passport additional information' },
  { number: 'Business registration number (s)' },
  { number: 'IMO number' },
  { number: 'Hull identification number (HIN)' },
]

/** What else a row can say; a designation has as many values as its rows differ in. */
export const detailColumns: readonly string[] = [
  'Phone number',
  'Website',
  'Email address',
  'Nationality(/ies)',
  'Position',
  'Gender',
  'Type of entity',
  'Subsidiaries',
  'Parent company',
  'Current owner/operator (s)',
  'Previous owner/operator (s)',
  'Current believed flag of ship',
  'Previous flags',
  'Type of ship',
  'Tonnage of ship',
  'Length of ship',
  'Year Built',
]

export const requiredColumns: readonly string[] = [
  'Unique ID',
  'Name type',
  'Name non-latin script',
  ...Object.values(ownColumns),
  ...nameColumns,
  ...Object.values(nameDetailColumns),
  ...Object.values(scriptColumns),
  ...Object.values(addressColumns),
  ...Object.values(birthColumns),
  ...identifierColumns.flatMap(({ number, note }) => (note === undefined ? [number] : [number, note])),
  ...detailColumns,
]
