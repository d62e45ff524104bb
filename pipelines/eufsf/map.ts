/** An entity of the list becomes its row and those of its names, regulations, addresses, births, citizenships and documents. */
import type { FieldReader, MapContext, Row } from '../../src/pipeline/types.ts'
import {
  addressColumns,
  birthColumns,
  citizenshipColumns,
  identificationColumns,
  nameColumns,
  regulationColumns,
  summaryColumns,
} from './columns.ts'
import { filled } from './element.ts'

/** Elements that can be there several times. */
export const lists: ReadonlySet<string> = new Set([
  'regulation',
  'regulationSummary',
  'nameAlias',
  'address',
  'birthdate',
  'citizenship',
  'identification',
  'remark',
  'contactInfo',
  'additionalInformation',
])

/** What a name says beside itself. */
const aboutNames: ReadonlySet<string> = new Set(['title', 'function', 'remark'])

type Columns = Readonly<Record<string, string>>

const textsOf = (element: FieldReader, columns: Columns): Readonly<Record<string, string | null>> =>
  Object.fromEntries(Object.entries(columns).map(([column, attribute]) => [column, filled(element.text(attribute))]))

/** `true` and `false` as 1 and 0. */
const flagged = (row: Readonly<Record<string, string | null>>): Row =>
  Object.fromEntries(
    Object.entries(row).map(([column, text]) => [column, text === 'true' ? 1 : text === 'false' ? 0 : text]),
  )

const joined = (elements: readonly FieldReader[]): string | null =>
  filled(
    elements
      .map((each) => filled(each.text('text')))
      .filter((text) => text !== null)
      .join('\n'),
  )

const jsonOf = (values: readonly unknown[]): string | null => (values.length === 0 ? null : JSON.stringify(values))

class EntityMapping {
  readonly #subject: string
  readonly #left: Record<string, unknown[]> = {}
  readonly rows: { readonly table: string; readonly row: Row }[] = []

  constructor(subject: string) {
    this.#subject = subject
  }

  add(table: string, id: string, row: Row): void {
    this.rows.push({ table, row: { subject_id: this.#subject, logical_id: id, ...row } })
  }

  /** What an element says with its remark and the regulation behind it; what else it says is left over. */
  read(element: FieldReader, name: string, columns: Columns): Row {
    const [summary, ...others] = element.list('regulationSummary')
    const row = {
      ...flagged(textsOf(element, columns)),
      remark: joined(element.list('remark')),
      regulation_language: filled(element.text('regulationLanguage')),
      ...(summary === undefined ? {} : textsOf(summary, summaryColumns)),
    }
    if (summary !== undefined) this.leave(`${name}.regulationSummary`, summary)
    for (const other of others) this.leave(`${name}.regulationSummary`, other)
    this.leave(name, element)
    return row
  }

  leave(name: string, element: FieldReader): void {
    const left = element.rest()
    if (left !== null) this.keep(name, left)
  }

  keep(name: string, left: unknown): void {
    this.#left[name] = [...(this.#left[name] ?? []), left]
  }

  leftovers(own: Readonly<Record<string, unknown>> | null): string | null {
    return own === null && Object.keys(this.#left).length === 0 ? null : JSON.stringify({ ...own, ...this.#left })
  }
}

export const mapEntity = (entity: FieldReader, context: MapContext): void => {
  const id = entity.requiredText('logicalId')
  const mapping = new EntityMapping(id)
  const programmes = mapRegulations(entity, mapping)
  const name = mapNames(entity, mapping) ?? context.reject('it has no name')
  for (const each of entity.list('address')) {
    const address = each.requiredText('logicalId')
    const contact = each.list('contactInfo').map(contactOf)
    const row = mapping.read(each, 'address', addressColumns)
    mapping.add('address', address, { ...row, contact_info: jsonOf(contact) })
  }
  const plainParts = [
    ['birthdate', 'birth', birthColumns],
    ['citizenship', 'citizenship', citizenshipColumns],
    ['identification', 'identification', identificationColumns],
  ] as const
  for (const [element, table, columns] of plainParts) {
    for (const each of entity.list(element)) {
      const part = each.requiredText('logicalId')
      mapping.add(table, part, mapping.read(each, element, columns))
    }
  }
  const type = entity.object('subjectType')
  const own = {
    logical_id: id,
    eu_reference_number: filled(entity.text('euReferenceNumber')),
    name,
    type: filled(type?.text('code') ?? null),
    classification_code: filled(type?.text('classificationCode') ?? null),
    united_nation_id: filled(entity.text('unitedNationId')),
    designation_date: filled(entity.text('designationDate')),
    designation_details: filled(entity.text('designationDetails')),
    programmes: jsonOf(programmes),
    remarks: joined(entity.list('remark')),
  }
  if (type !== null) mapping.leave('subjectType', type)
  context.emit('subject', { ...own, attributes: mapping.leftovers(entity.rest()) })
  for (const { table, row } of mapping.rows) context.emit(table, row)
}

/** A telephone number, a mail address and so on: a key and its value. */
const contactOf = (info: FieldReader): Row => ({
  key: info.text('key'),
  value: info.text('value') ?? info.text('text'),
})

/** Adds the regulations; gives their programmes, each once. */
const mapRegulations = (entity: FieldReader, mapping: EntityMapping): readonly string[] => {
  const programmes = new Set<string>()
  for (const each of entity.list('regulation')) {
    const row = textsOf(each, regulationColumns)
    const url = filled(each.text('publicationUrl'))
    mapping.add('regulation', each.requiredText('logicalId'), {
      ...row,
      publication_url: url,
      remark: joined(each.list('remark')),
    })
    mapping.leave('regulation', each)
    if (row.programme != null) programmes.add(row.programme)
  }
  return [...programmes]
}

/** Adds the names; gives the one by which the entity is called: the first strong one, or the first. */
const mapNames = (entity: FieldReader, mapping: EntityMapping): string | null => {
  const names = entity.list('nameAlias').map((each) => {
    const id = each.requiredText('logicalId')
    const isStrong = filled(each.text('strong')) !== 'false'
    const whole = filled(each.text('wholeName'))
    const row = mapping.read(each, 'nameAlias', nameColumns)
    const parts = [row.first_name, row.middle_name, row.last_name].filter((part) => typeof part === 'string')
    return { id, isStrong, name: whole ?? filled(parts.join(' ')), row }
  })
  const named = names.filter((each) => each.name !== null)
  // A title or a function that comes without a name is no name, and not nothing.
  for (const { id, row } of names.filter((each) => each.name === null)) {
    const said = Object.entries(row).filter(([column, value]) => value !== null && aboutNames.has(column))
    if (said.length > 0) mapping.keep('nameAlias', { logicalId: id, ...Object.fromEntries(said) })
  }
  const primary = named.find(({ isStrong }) => isStrong) ?? named[0]
  for (const each of named) {
    mapping.add('name', each.id, {
      name: each.name,
      kind: each === primary ? 'primary' : 'alias',
      strength: each.isStrong ? 'strong' : 'weak',
      ...each.row,
    })
  }
  return primary?.name ?? null
}
