/** A record of one of the three files becomes its row, and the rows of what it has several of. */
import type { MapContext, Row } from '../../src/pipeline/types.ts'
import type { MainTable } from './columns.ts'
import type { FlatRecord } from './flat.ts'
import { type ListName, type Place, placesOf } from './place.ts'

type Texts = Record<string, string>

interface Item {
  readonly kind: string
  readonly slot: number
  readonly texts: Texts
}

/** What a record says, by place. */
interface Sorted {
  readonly own: Texts
  readonly items: (list: ListName) => readonly Item[]
  /** JSON of the columns without a place. */
  readonly other: string | null
}

const places: Readonly<Record<MainTable, (name: string) => Place>> = {
  lei: placesOf('lei'),
  relationship: placesOf('relationship'),
  exception: placesOf('exception'),
}

const sorted = (table: MainTable, record: FlatRecord, context: MapContext): Sorted => {
  const own: Texts = {}
  const lists = new Map<ListName, Item[]>()
  const other: [string, string][] = []
  const placeOf = places[table]
  for (const name in record) {
    const text = record[name]
    if (text === null || text === undefined || text === '') continue
    const place = placeOf(name)
    if (place.in === 'record') own[place.column] = text
    else if (place.in === 'list') itemIn(lists, place).texts[place.column] = text
    else {
      if (!place.known) context.unknown(name)
      other.push([name, text])
    }
  }
  return {
    own,
    items: (list) => lists.get(list) ?? [],
    other: other.length === 0 ? null : JSON.stringify(Object.fromEntries(other.sort(byText))),
  }
}

const itemIn = (lists: Map<ListName, Item[]>, { list, kind, slot }: Place & { in: 'list' }): Item => {
  const items = lists.get(list) ?? []
  lists.set(list, items)
  const found = items.find((item) => item.slot === slot && item.kind === kind)
  if (found !== undefined) return found
  const item = { kind, slot, texts: {} }
  items.push(item)
  return item
}

const byText = (left: readonly string[], right: readonly string[]): number => {
  const at = left.findIndex((text, index) => text !== right[index])
  return at === -1 ? 0 : (left[at] ?? '') < (right[at] ?? '') ? -1 : 1
}

/** Items in an order of their own: which slot the publisher puts one into is chance, and must not be a change. */
const ordered = (items: readonly Item[], ...by: readonly string[]): readonly Item[] =>
  items
    .map((item) => ({
      item,
      key: [item.kind, ...by.map((column) => item.texts[column] ?? ''), JSON.stringify(item.texts)],
    }))
    .sort((left, right) => byText(left.key, right.key))
    .map(({ item }) => item)

const leiPattern = /^[A-Z0-9]{18}[0-9]{2}$/

const requiredText = (texts: Texts, column: string, name: string, context: MapContext): string =>
  texts[column] ?? context.reject(`${name} is missing`)

const requiredLei = (texts: Texts, context: MapContext): string => {
  const lei = requiredText(texts, 'lei', 'LEI', context)
  return leiPattern.test(lei) ? lei : context.reject(`${lei} is no LEI`)
}

const mapEntity = (record: FlatRecord, context: MapContext): void => {
  const { own, items, other } = sorted('lei', record, context)
  const lei = requiredLei(own, context)
  requiredText(own, 'legal_name', 'Entity.LegalName', context)
  context.emit('lei', { ...own, other })
  const add = (table: string, rows: readonly Row[]): void => {
    for (const [index, row] of rows.entries()) context.emit(table, { lei, ordinal: index + 1, ...row })
  }
  const named = items('other_name').filter(({ texts }) => texts.name !== undefined)
  add('other_name', ordered(named, 'type', 'name').map(kinded))
  add('other_address', ordered(items('other_address'), 'type', 'country', 'city').map(kinded))
  add(
    'successor',
    ordered(items('successor'), 'successor_lei', 'name').map(({ texts }) => texts),
  )
  add('event', ordered(items('event'), 'recorded_date', 'effective_date', 'type').map(eventRow))
}

const kinded = ({ kind, texts }: Item): Row => ({ kind, ...texts })

/** Which fields an event was about has no columns of its own: `AffectedFields.1.AffectedField`, `.field_xpath`, … */
const eventRow = ({ texts }: Item): Row => {
  const affected = Object.entries(texts).filter(([name]) => /[A-Z]/.test(name))
  const own = Object.fromEntries(Object.entries(texts).filter(([name]) => !/[A-Z]/.test(name)))
  return { ...own, affected_fields: affected.length === 0 ? null : JSON.stringify(Object.fromEntries(affected)) }
}

const jsonOf = (items: readonly Item[]): string | null =>
  items.length === 0 ? null : JSON.stringify(ordered(items).map(({ texts }) => texts))

const mapRelationship = (record: FlatRecord, context: MapContext): void => {
  const { own, items, other } = sorted('relationship', record, context)
  const key = {
    start_lei: requiredText(own, 'start_lei', 'Relationship.StartNode.NodeID', context),
    end_lei: requiredText(own, 'end_lei', 'Relationship.EndNode.NodeID', context),
    type: requiredText(own, 'type', 'Relationship.RelationshipType', context),
  }
  const periods = ordered(items('relationship_period'), 'period_type', 'start_date', 'end_date')
  // The first slot is the period of the relationship in two thirds of the records only; its type says which it is.
  const lasting = periods.filter(({ texts }) => texts.period_type === 'RELATIONSHIP_PERIOD').at(-1)?.texts
  context.emit('relationship', {
    ...own,
    relationship_start: lasting?.start_date,
    relationship_end: lasting?.end_date,
    qualifiers: jsonOf(items('qualifiers')),
    quantifiers: jsonOf(items('quantifiers')),
    other,
  })
  const counts = new Map<string, number>()
  for (const { texts } of periods) {
    const period_type = texts.period_type ?? ''
    const ordinal = (counts.get(period_type) ?? 0) + 1
    counts.set(period_type, ordinal)
    context.emit('relationship_period', { ...key, ...texts, period_type, ordinal })
  }
}

const mapException = (record: FlatRecord, context: MapContext): void => {
  const { own, items, other } = sorted('exception', record, context)
  const valuesOf = (list: ListName): string | null => {
    const values = ordered(items(list), 'value').map(({ texts }) => texts.value ?? '')
    return values.length === 0 ? null : JSON.stringify(values)
  }
  const lei = requiredLei(own, context)
  const category = requiredText(own, 'category', 'Exception.Category', context)
  context.emit('exception', {
    lei,
    category,
    reasons: valuesOf('reasons'),
    reference_texts: valuesOf('references'),
    other,
  })
}

/** Maps a record by what it is of, whichever file it stands in: people have the files under names of their own. */
export const mapRecord = (record: FlatRecord | undefined, context: MapContext): void => {
  if (record === undefined) context.reject('it is no record')
  else if ('Relationship.StartNode.NodeID' in record) mapRelationship(record, context)
  else if ('Exception.Category' in record) mapException(record, context)
  else mapEntity(record, context)
}
