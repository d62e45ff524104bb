/**
 * Where a column of the files belongs. They have hundreds of columns, most of them numbered slots of lists, of which
 * any record fills a few: so a record is read by what is filled, and each column's name says the place. Pure.
 */
import { addressPartColumns, columnBySource, type MainTable } from './columns.ts'

/** `known` is false for a column that the publisher did not have when this was written. */
export type Place =
  | { readonly in: 'record'; readonly column: string }
  | {
      readonly in: 'list'
      readonly list: ListName
      readonly kind: string
      readonly slot: number
      readonly column: string
    }
  | { readonly in: 'other'; readonly known: boolean }

export type ListName =
  | 'other_name'
  | 'other_address'
  | 'successor'
  | 'event'
  | 'relationship_period'
  | 'qualifiers'
  | 'quantifiers'
  | 'reasons'
  | 'references'

interface ListPattern {
  readonly list: ListName
  readonly kind?: string
  /** With the groups `slot` and `part` (none where the slot itself is the value). */
  readonly pattern: RegExp
  /** Part → column; parts that have no column keep their name, where `keeps` says so. */
  readonly columns: ReadonlyMap<string, string>
  readonly keeps?: boolean
}

const parts = (columns: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(columns))

const nameParts = parts({ '': 'name', xmllang: 'language', type: 'type' })
const addressesParts = new Map([...addressPartColumns, ['type', 'type']])
const eventParts = parts({
  LegalEntityEventType: 'type',
  event_status: 'status',
  LegalEntityEventEffectiveDate: 'effective_date',
  LegalEntityEventRecordedDate: 'recorded_date',
  ValidationDocuments: 'validation_documents',
  ValidationReference: 'validation_reference',
  group_type: 'group_type',
  group_id: 'group_id',
  group_sequence_no: 'group_sequence_no',
})

const numbered = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.')}\\.(?<slot>\\d+)(?:\\.(?<part>.+))?$`)

const lists: Readonly<Record<MainTable, readonly ListPattern[]>> = {
  lei: [
    {
      list: 'other_name',
      kind: 'other',
      pattern: numbered('Entity.OtherEntityNames.OtherEntityName'),
      columns: nameParts,
    },
    {
      list: 'other_name',
      kind: 'transliterated',
      pattern: numbered('Entity.TransliteratedOtherEntityNames.TransliteratedOtherEntityName'),
      columns: nameParts,
    },
    {
      list: 'other_address',
      kind: 'other',
      pattern: numbered('Entity.OtherAddresses.OtherAddress'),
      columns: addressesParts,
    },
    {
      list: 'other_address',
      kind: 'transliterated',
      pattern: numbered('Entity.TransliteratedOtherAddresses.TransliteratedOtherAddress'),
      columns: addressesParts,
    },
    {
      list: 'successor',
      pattern: numbered('Entity.SuccessorEntity'),
      columns: parts({
        SuccessorLEI: 'successor_lei',
        SuccessorEntityName: 'name',
        'SuccessorEntity.xmllang': 'language',
        'SuccessorEntityName.xmllang': 'language',
      }),
    },
    {
      list: 'event',
      pattern: numbered('Entity.LegalEntityEvents.LegalEntityEvent'),
      columns: eventParts,
      keeps: true,
    },
  ],
  relationship: [
    {
      list: 'relationship_period',
      pattern: numbered('Relationship.Period'),
      columns: parts({ startDate: 'start_date', endDate: 'end_date', periodType: 'period_type' }),
    },
    { list: 'qualifiers', pattern: numbered('Relationship.Qualifiers'), columns: parts({}), keeps: true },
    { list: 'quantifiers', pattern: numbered('Relationship.Quantifiers'), columns: parts({}), keeps: true },
  ],
  exception: [
    { list: 'reasons', pattern: numbered('Exception.Reason'), columns: parts({ '': 'value' }) },
    { list: 'references', pattern: numbered('Exception.Reference'), columns: parts({ '': 'value' }) },
  ],
}

/** Kept in `other`: few records have them, or the publisher does not explain them. */
const knownOthers = /^(?:Registration\.OtherValidationAuthorities\.|Entity\.AssociatedEntity\.|Extension\.)/

const placeIn = (table: MainTable, name: string): Place => {
  const column = columnBySource[table].get(name)
  if (column !== undefined) return { in: 'record', column }
  for (const { list, kind = '', pattern, columns, keeps } of lists[table]) {
    const groups = pattern.exec(name)?.groups
    if (groups === undefined) continue
    const part = groups.part ?? ''
    const partColumn = columns.get(part) ?? (keeps === true ? part : undefined)
    if (partColumn !== undefined) return { in: 'list', list, kind, slot: Number(groups.slot), column: partColumn }
  }
  return { in: 'other', known: knownOthers.test(name) }
}

/** The places of a table's columns. What was found once is remembered: millions of records ask for the same few hundred. */
export const placesOf = (table: MainTable): ((name: string) => Place) => {
  const found = new Map<string, Place>()
  return (name) => {
    const known = found.get(name)
    if (known !== undefined) return known
    const place = placeIn(table, name)
    // A file has as many columns as a table; names out of an XML or JSON file end nowhere.
    if (found.size < 5000) found.set(name, place)
    return place
  }
}
