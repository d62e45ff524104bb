/** Columns of the file, by the names in its header without the spaces around some of them, and ours for them. */

/** Columns that are taken over as they are. */
export const textColumns = {
  care_of: 'RegAddress.CareOf',
  po_box: 'RegAddress.POBox',
  address_line_1: 'RegAddress.AddressLine1',
  address_line_2: 'RegAddress.AddressLine2',
  post_town: 'RegAddress.PostTown',
  county: 'RegAddress.County',
  country: 'RegAddress.Country',
  post_code: 'RegAddress.PostCode',
  category: 'CompanyCategory',
  status: 'CompanyStatus',
  country_of_origin: 'CountryOfOrigin',
  accounts_category: 'Accounts.AccountCategory',
  uri: 'URI',
} as const

/** Dates, which the file writes as dd/mm/yyyy. */
export const dateColumns = {
  incorporation_date: 'IncorporationDate',
  dissolution_date: 'DissolutionDate',
  accounts_next_due_date: 'Accounts.NextDueDate',
  accounts_last_made_up_date: 'Accounts.LastMadeUpDate',
  returns_next_due_date: 'Returns.NextDueDate',
  returns_last_made_up_date: 'Returns.LastMadeUpDate',
  confirmation_next_due_date: 'ConfStmtNextDueDate',
  confirmation_last_made_up_date: 'ConfStmtLastMadeUpDate',
} as const

export const numberColumns = {
  account_ref_day: 'Accounts.AccountRefDay',
  account_ref_month: 'Accounts.AccountRefMonth',
  mortgage_charges: 'Mortgages.NumMortCharges',
  mortgages_outstanding: 'Mortgages.NumMortOutstanding',
  mortgages_part_satisfied: 'Mortgages.NumMortPartSatisfied',
  mortgages_satisfied: 'Mortgages.NumMortSatisfied',
  general_partners: 'LimitedPartnerships.NumGenPartners',
  limited_partners: 'LimitedPartnerships.NumLimPartners',
} as const

export const sicColumns = [1, 2, 3, 4].map((place) => `SICCode.SicText_${place}`)

export const previousNameColumns = Array.from({ length: 10 }, (_, index) => ({
  date: `PreviousName_${index + 1}.CONDATE`,
  name: `PreviousName_${index + 1}.CompanyName`,
}))

/** All 55: a file that lacks one is not read as if it were empty. */
export const requiredColumns: readonly string[] = [
  'CompanyName',
  'CompanyNumber',
  ...Object.values(textColumns),
  ...Object.values(dateColumns),
  ...Object.values(numberColumns),
  ...sicColumns,
  ...previousNameColumns.flatMap(({ date, name }) => [date, name]),
]
