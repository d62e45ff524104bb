/**
 * One designation is many rows: one for each combination of a name and an address and so on, nearly all of it said again
 * in each. Rows of tables are keyed by what they say, so that neither repetition nor order in the file matters; what a
 * row says again is left out, and what it says otherwise of the same name or address is kept beside it. For that, what a
 * file's rows say is remembered in its state (about 6,300 designations).
 */
import type { FieldReader, MapContext, Row } from '../../src/pipeline/types.ts'
import {
  addressColumns,
  birthColumns,
  detailColumns,
  identifierColumns,
  nameColumns,
  nameDetailColumns,
  ownColumns,
  scriptColumns,
} from './columns.ts'
import { isoDate, partsOf, unescaped } from './text.ts'

interface Designation {
  /** What its first row said. */
  readonly own: Readonly<Record<string, string | null>>
  /** What columns without a place held in its first row. */
  left: Readonly<Record<string, unknown>> | null
  /** Rows there are, as text, by table and key. */
  readonly seen: Map<string, string[]>
}

/** Tables in which rows of one key can differ in what else they say. */
const severalOfOneKey: ReadonlySet<string> = new Set(['name', 'address'])

type Texts = Readonly<Record<string, string | null>>

const nothing = (row: Texts): boolean => Object.values(row).every((value) => value === null)

/** The designations of the file that is being read. */
export const designationsOf = ({ state }: MapContext): Designations => {
  const designations = state.designations instanceof Designations ? state.designations : new Designations()
  state.designations = designations
  return designations
}

class Designations {
  readonly #byId = new Map<string, Designation>()

  map(line: FieldReader, context: MapContext): void {
    const read = (column: string): string | null => {
      const text = line.text(column)
      return text === null ? null : unescaped(text).trim() || null
    }
    const readAll = <Column extends string>(columns: Readonly<Record<Column, string>>): Record<Column, string | null> =>
      // The keys are those of `columns`.
      Object.fromEntries(Object.entries<string>(columns).map(([column, source]) => [column, read(source)])) as Record<
        Column,
        string | null
      >

    const id = line.requiredText('Unique ID')
    const own = readAll(ownColumns)
    const name = nameColumns
      .map(read)
      .filter((part) => part !== null)
      .join(' ')
    const details = detailColumns.flatMap((field) => {
      const value = read(field)
      return value === null ? [] : [{ field, value }]
    })
    const designation = this.#designation(id, own)
    const isNew = designation.own === own
    const rows: { table: string; row: Row }[] = []
    const add = (table: string, key: readonly string[], row: Row): void => {
      const seenAs = JSON.stringify([table, ...key])
      const seen = designation.seen.get(seenAs) ?? []
      const text = JSON.stringify(row)
      if (seen.includes(text)) return
      designation.seen.set(seenAs, seen)
      seen.push(text)
      const ordinal = severalOfOneKey.has(table) ? { ordinal: seen.length } : {}
      rows.push({ table, row: { unique_id: id, ...row, ...ordinal } })
    }

    addNames(read, readAll(nameDetailColumns), readAll(scriptColumns), name, add)
    const address = readAll(addressColumns)
    if (!nothing(address)) {
      const whole = Object.values(address)
        .filter((part) => part !== null)
        .join(', ')
      add('address', [whole], { address: whole, ...address })
    }
    const birth = readAll(birthColumns)
    if (!nothing(birth)) {
      const row = { date: isoDate(birth.date) ?? '', town: birth.town ?? '', country: birth.country ?? '' }
      add('birth', Object.values(row), row)
    }
    for (const { number: column, note: noteColumn } of identifierColumns) {
      const number = read(column)
      const note = noteColumn === undefined ? null : read(noteColumn)
      if (number === null && note === null) continue
      const row = { type: column, number: number ?? '', note: note ?? '' }
      add('identifier', Object.values(row), row)
    }
    const left = line.rest()
    if (isNew) designation.left = left
    const others = isNew ? [] : [...differing(own, designation.own), ...further(left, designation.left)]
    for (const { field, value } of [...details, ...others]) add('detail', [field, value], { field, value })
    if (isNew) context.emit('designation', designationRow(id, own, name === '' ? id : name, left))
    for (const { table, row } of rows) context.emit(table, row)
  }

  #designation(id: string, own: Texts): Designation {
    const designation = this.#byId.get(id) ?? { own, left: null, seen: new Map<string, string[]>() }
    this.#byId.set(id, designation)
    return designation
  }
}

/** What a later row has in columns without a place that the first one had not. */
const further = (
  left: Readonly<Record<string, unknown>> | null,
  first: Readonly<Record<string, unknown>> | null,
): { readonly field: string; readonly value: string }[] =>
  Object.entries(left ?? {}).flatMap(([field, value]) =>
    value === null || value === first?.[field] ? [] : [{ field, value: String(value) }],
  )

/** Where a later row of a designation says something else of the whole than the first one did. */
const differing = (own: Texts, first: Texts): { readonly field: string; readonly value: string }[] =>
  Object.entries(ownColumns).flatMap(([column, field]) => {
    const value = own[column] ?? null
    return value === null || value === first[column] ? [] : [{ field, value }]
  })

const designationRow = (id: string, own: Texts, name: string, left: Readonly<Record<string, unknown>> | null): Row => {
  const sanctions = partsOf(own.sanctions_imposed ?? null)
  return {
    unique_id: id,
    name,
    ...own,
    sanctions_imposed: sanctions.length === 0 ? null : JSON.stringify(sanctions),
    date_designated: isoDate(own.date_designated ?? null),
    last_amended: isoDate(own.last_amended ?? null),
    attributes: left === null ? null : JSON.stringify(left),
  }
}

/** The source writes Primary Name and Primary name, Alias and ALias. */
const kindOf = (nameType: string): string => {
  const type = nameType.toLowerCase()
  if (type === 'primary name') return 'primary'
  return /\bf\.?k\.?a|former/.test(type) ? 'former' : 'alias'
}

const addNames = (
  read: (column: string) => string | null,
  { alias_strength, title }: Readonly<Record<keyof typeof nameDetailColumns, string | null>>,
  script: Readonly<Record<keyof typeof scriptColumns, string | null>>,
  name: string,
  add: (table: string, key: readonly string[], row: Row) => void,
): void => {
  const nameType = read('Name type') ?? ''
  const strength = /low|weak/i.test(alias_strength ?? '') ? 'weak' : 'strong'
  const parts = Object.fromEntries(nameColumns.map((column) => [column.toLowerCase().replace(' ', '_'), read(column)]))
  if (name !== '') {
    const row = { name, name_type: nameType, kind: kindOf(nameType), strength, alias_strength, title, ...parts }
    add('name', [name, nameType], row)
  }
  const original = read('Name non-latin script')
  if (original !== null) {
    const row = { name: original, name_type: 'Name non-latin script', kind: 'original-script', strength, ...script }
    add('name', [original, row.name_type], row)
  }
}
