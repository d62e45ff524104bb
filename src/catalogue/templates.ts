/** The templates of a dataset: its records by table, as of a version, their history, changes, and queries. */
import { isAddressable, requiredOf } from './resolve.ts'
import type { ServedDataset, ServedQuery, ServedTable } from './served.ts'
import type { TemplateEntry } from './types.ts'
import { changesTemplate, queryTemplate, recordTemplate } from './uri.ts'

export type RecordForm = 'record' | 'snapshot' | 'history'

/** A template, and what completes its variables. */
export interface ServedTemplate extends TemplateEntry {
  readonly dataset: string
  readonly of:
    | { readonly kind: RecordForm; readonly table: string; readonly variables: readonly string[] }
    | { readonly kind: 'changes' }
    | { readonly kind: 'query'; readonly query: ServedQuery }
}

/** Template of a table's records; undefined where they have no key. */
export const templateOf = (dataset: string, form: RecordForm, table: ServedTable): ServedTemplate | undefined => {
  if (table.key.length === 0) return undefined
  const variables = variablesOf(table.key, form === 'snapshot' ? ['version'] : [])
  const what = table.description === '' ? `Records of ${table.name}.` : `${table.name}: ${table.description}`
  const how = {
    record: { title: `${table.name}`, text: `One record, whole, of the current snapshot. ${what}` },
    snapshot: { title: `${table.name} as of a version`, text: `The same record as of a kept version. ${what}` },
    history: { title: `${table.name} over time`, text: `The record in each kept version in which it differs. ${what}` },
  }[form]
  return {
    uriTemplate: recordTemplate(dataset, form, table.name, variables),
    name: form === 'record' ? `${dataset}_${table.name}` : `${dataset}_${table.name}_${form}`,
    title: `${dataset}: ${how.title}`,
    description: how.text,
    mimeType: 'application/json',
    dataset,
    of: { kind: form, table: table.name, variables },
  }
}

/** All templates of a dataset. */
export const templatesOf = (dataset: ServedDataset): readonly ServedTemplate[] => {
  const tables = dataset.databases.flatMap((database) => database.tables)
  const forms: readonly RecordForm[] = dataset.snapshot === undefined ? ['record'] : ['record', 'snapshot', 'history']
  const records = forms.flatMap((form) => tables.flatMap((table) => templateOf(dataset.id, form, table) ?? []))
  const queries = dataset.queries.filter(
    (query) => query.ofAuthor && isAddressable(query) && requiredOf(query.query).length > 0,
  )
  return [
    ...distinct(records),
    ...(dataset.snapshot === undefined ? [] : [ofChanges(dataset.id), ofChangesOfKind(dataset.id)]),
    ...queries.map((query) => ofQuery(dataset.id, query)),
  ]
}

/** Of two files with a table of the same name, the first is what the URI reads. */
const distinct = (templates: readonly ServedTemplate[]): readonly ServedTemplate[] => {
  const seen = new Set<string>()
  return templates.filter(({ uriTemplate }) => {
    const isNew = !seen.has(uriTemplate.toLowerCase())
    seen.add(uriTemplate.toLowerCase())
    return isNew
  })
}

const ofChanges = (dataset: string): ServedTemplate => ({
  uriTemplate: changesTemplate(dataset),
  name: `${dataset}_changes`,
  title: `${dataset}: what changed in a version`,
  description: 'Records added, removed and changed in a kept version against the one before it.',
  mimeType: 'application/json',
  dataset,
  of: { kind: 'changes' },
})

const ofChangesOfKind = (dataset: string): ServedTemplate => ({
  uriTemplate: changesTemplate(dataset, 'kind'),
  name: `${dataset}_changes_of_kind`,
  title: `${dataset}: what was added, removed or changed in a table`,
  description:
    'One kind of change (added, removed, changed) in one table in a kept version. Without the kind: all of them.',
  mimeType: 'application/json',
  dataset,
  of: { kind: 'changes' },
})

const ofQuery = (dataset: string, query: ServedQuery): ServedTemplate => ({
  uriTemplate: queryTemplate(dataset, query.name, variablesOf(requiredOf(query.query).map(({ name }) => name))),
  name: `${dataset}_query_${query.name}`,
  title: `${dataset}: ${query.name}`,
  description: query.query.description,
  mimeType: 'application/json',
  dataset,
  of: { kind: 'query', query },
})

/** RFC 6570 names are letters, digits and `_`; columns may be called anything. */
const variablesOf = (names: readonly string[], reserved: readonly string[] = []): readonly string[] => {
  const taken = new Set(reserved)
  return names.map((name) => {
    const plain = name.replace(/\W/g, '_') || '_'
    const variable = taken.has(plain) ? `${plain}_${taken.size + 1}` : plain
    taken.add(variable)
    return variable
  })
}
