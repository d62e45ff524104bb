/** An entry of the list becomes its row and the rows of its names, addresses, dates and places of birth, and documents. */
import type { FieldReader, MapContext, Row } from '../../src/pipeline/types.ts'
import { oneLine } from './element.ts'
import { namesIn } from './names.ts'

/** Elements that can be there several times. */
export const lists: ReadonlySet<string> = new Set([
  'VALUE',
  'INDIVIDUAL_ALIAS',
  'ENTITY_ALIAS',
  'INDIVIDUAL_ADDRESS',
  'ENTITY_ADDRESS',
  'INDIVIDUAL_DATE_OF_BIRTH',
  'INDIVIDUAL_PLACE_OF_BIRTH',
  'INDIVIDUAL_DOCUMENT',
])

type EntryType = 'individual' | 'entity'

/** What has no column of its own, by the path to it. */
class Leftovers {
  readonly #found: Record<string, unknown[]> = {}

  take(path: string, item: FieldReader): void {
    const left = item.rest()
    if (left !== null) this.keep(path, left)
  }

  keep(path: string, left: unknown): void {
    this.#found[path] = [...(this.#found[path] ?? []), left]
  }

  json(own: Readonly<Record<string, unknown>> | null): string | null {
    return own === null && Object.keys(this.#found).length === 0 ? null : JSON.stringify({ ...own, ...this.#found })
  }
}

/** Elements of one name and the columns that they fill. */
const columnsOf = (
  item: FieldReader,
  columns: Readonly<Record<string, string>>,
): Readonly<Record<string, string | null>> =>
  Object.fromEntries(Object.entries(columns).map(([column, element]) => [column, oneLine(item.text(element))]))

const placeColumns = {
  street: 'STREET',
  city: 'CITY',
  state_province: 'STATE_PROVINCE',
  country: 'COUNTRY',
  note: 'NOTE',
}
const addressColumns = { ...placeColumns, zip_code: 'ZIP_CODE' }
const birthDateColumns = {
  type_of_date: 'TYPE_OF_DATE',
  date: 'DATE',
  year: 'YEAR',
  from_year: 'FROM_YEAR',
  to_year: 'TO_YEAR',
  note: 'NOTE',
}
const documentColumns = {
  type_of_document: 'TYPE_OF_DOCUMENT',
  type_of_document2: 'TYPE_OF_DOCUMENT2',
  number: 'NUMBER',
  issuing_country: 'ISSUING_COUNTRY',
  country_of_issue: 'COUNTRY_OF_ISSUE',
  city_of_issue: 'CITY_OF_ISSUE',
  date_of_issue: 'DATE_OF_ISSUE',
  note: 'NOTE',
}

export const mapEntry = (entry: FieldReader, type: EntryType, context: MapContext): void => {
  const reference = entry.requiredText('REFERENCE_NUMBER')
  const leftovers = new Leftovers()
  const prefix = type === 'individual' ? 'INDIVIDUAL' : 'ENTITY'
  const parts: { table: string; row: Row }[] = []
  const addParts = (table: string, rows: readonly Row[]): void => {
    for (const [index, row] of rows.entries()) {
      parts.push({ table, row: { reference_number: reference, ordinal: index + 1, ...row } })
    }
  }
  const filledParts = (element: string, columns: Readonly<Record<string, string>>): readonly Row[] =>
    entry.list(element).flatMap((item) => {
      const row = columnsOf(item, columns)
      leftovers.take(element, item)
      return Object.values(row).some((value) => value !== null) ? [row] : []
    })

  const given = ['FIRST_NAME', 'SECOND_NAME', 'THIRD_NAME', 'FOURTH_NAME'].map((each) => oneLine(entry.text(each)))
  const name = oneLine(given.filter((each) => each !== null).join(' ')) ?? context.reject('it has no name')
  const originalScript = oneLine(entry.text('NAME_ORIGINAL_SCRIPT'))
  addParts('name', [
    ...namesIn(name).map((each) => ({ name: each, kind: 'primary', strength: 'strong' })),
    ...namesIn(originalScript ?? '').map((each) => ({ name: each, kind: 'original-script', strength: 'strong' })),
    ...entry.list(`${prefix}_ALIAS`).flatMap((alias) => aliasRows(alias, leftovers)),
  ])
  addParts('address', filledParts(`${prefix}_ADDRESS`, addressColumns))
  if (type === 'individual') {
    addParts('birth_date', filledParts('INDIVIDUAL_DATE_OF_BIRTH', birthDateColumns))
    addParts('birth_place', filledParts('INDIVIDUAL_PLACE_OF_BIRTH', placeColumns))
    addParts('document', filledParts('INDIVIDUAL_DOCUMENT', documentColumns))
  }
  const valuesOf = (element: string): string[] => {
    const values = entry.object(element)?.list('VALUE') ?? []
    return values.map((value) => oneLine(value.text('text'))).filter((value) => value !== null)
  }
  const jsonOf = (values: readonly string[]): string | null => (values.length === 0 ? null : JSON.stringify(values))
  const amendments = valuesOf('LAST_DAY_UPDATED')
  const [first_name, second_name, third_name, fourth_name] = given
  // Always empty in the files seen; what they hold one day is kept like any field without a column.
  const sortKeys = { SORT_KEY: entry.text('SORT_KEY'), SORT_KEY_LAST_MOD: entry.text('SORT_KEY_LAST_MOD') }
  const isSorted = Object.values(sortKeys).some((value) => value !== null)
  context.emit('entry', {
    reference_number: reference,
    dataid: entry.requiredText('DATAID'),
    type,
    name,
    first_name,
    second_name,
    third_name,
    fourth_name,
    name_original_script: originalScript,
    un_list_type: entry.text('UN_LIST_TYPE'),
    list_type: valuesOf('LIST_TYPE').join(', ') || null,
    listed_on: entry.text('LISTED_ON'),
    last_amended: [...amendments].sort().at(-1) ?? null,
    amendments: jsonOf(amendments),
    gender: entry.text('GENDER'),
    titles: jsonOf(valuesOf('TITLE')),
    designations: jsonOf(valuesOf('DESIGNATION')),
    nationalities: jsonOf(valuesOf('NATIONALITY')),
    comments: entry.text('COMMENTS1'),
    versionnum: entry.text('VERSIONNUM'),
    attributes: leftovers.json(isSorted ? { ...entry.rest(), ...sortKeys } : entry.rest()),
  })
  for (const { table, row } of parts) context.emit(table, row)
}

const aliasColumns = {
  note: 'NOTE',
  date_of_birth: 'DATE_OF_BIRTH',
  city_of_birth: 'CITY_OF_BIRTH',
  country_of_birth: 'COUNTRY_OF_BIRTH',
}

/** Every second person has one alias without a name: the source writes an empty element for none. */
const aliasRows = (alias: FieldReader, leftovers: Leftovers): readonly Row[] => {
  const quality = oneLine(alias.text('QUALITY'))
  const names = namesIn(alias.text('ALIAS_NAME') ?? '')
  const about = columnsOf(alias, aliasColumns)
  const shared = {
    kind: quality === 'f.k.a.' ? 'former' : 'alias',
    strength: quality === 'Low' ? 'weak' : 'strong',
    quality,
    ...about,
  }
  leftovers.take('ALIAS', alias)
  // What is said of an alias without a name is no name, and not nothing.
  const said = Object.entries(about).filter(([, value]) => value !== null)
  if (names.length === 0 && said.length > 0) leftovers.keep('ALIAS', Object.fromEntries(said))
  return names.map((name) => ({ name, ...shared }))
}
