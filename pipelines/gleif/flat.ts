/**
 * The publisher's XML and JSON files say the same as its CSV files: here their records become records of the CSV, with
 * its names of columns, so that one mapping reads all three. Pure.
 */
import type { XmlElement } from '../../src/pipeline/types.ts'

/** Column → text; what is not filled is null or absent. */
export type FlatRecord = Readonly<Record<string, string | null>>

/** Elements of which there can be several, which the CSV numbers. JSON has them as lists. */
const repeated = new Set([
  'OtherEntityName',
  'TransliteratedOtherEntityName',
  'OtherAddress',
  'TransliteratedOtherAddress',
  'AdditionalAddressLine',
  'LegalEntityEvent',
  'AffectedField',
  'SuccessorEntity',
  'OtherValidationAuthority',
  'RelationshipPeriod',
  'RelationshipQualifier',
  'RelationshipQuantifier',
])

/** What the CSV calls otherwise. */
const renamed: readonly (readonly [RegExp, string])[] = [
  [/\.AffectedFields\.AffectedField\.(\d+)$/, '.AffectedFields.$1.AffectedField'],
  [/\.AffectedFields\.AffectedField\.(\d+)\.field_xpath$/, '.AffectedFields.$1.field_xpath'],
  [/^Relationship\.RelationshipPeriods\.RelationshipPeriod\.(\d+)\.StartDate$/, 'Relationship.Period.$1.startDate'],
  [/^Relationship\.RelationshipPeriods\.RelationshipPeriod\.(\d+)\.EndDate$/, 'Relationship.Period.$1.endDate'],
  [/^Relationship\.RelationshipPeriods\.RelationshipPeriod\.(\d+)\.PeriodType$/, 'Relationship.Period.$1.periodType'],
  [/^Relationship\.RelationshipQualifiers\.RelationshipQualifier\./, 'Relationship.Qualifiers.'],
  [/^Relationship\.RelationshipQuantifiers\.RelationshipQuantifier\./, 'Relationship.Quantifiers.'],
  [/^Extension\.conformity\.conformityflag$/, 'ConformityFlag'],
]

const csvName = (path: string): string => {
  for (const [pattern, name] of renamed) if (pattern.test(path)) return path.replace(pattern, name)
  return path
}

/** The name without its namespace's prefix; of attributes, `xml:lang` is `xmllang`. */
const plainName = (name: string): string => (name === 'xml:lang' ? 'xmllang' : name.replace(/^.*:/, ''))

type Texts = Record<string, string>

const joined = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)

const isNamespace = (attribute: string): boolean => attribute === 'xmlns' || attribute.startsWith('xmlns:')

const addElement = ({ attributes, text, children }: XmlElement, path: string, texts: Texts): void => {
  if (text !== '') texts[csvName(path)] = text
  for (const [name, value] of Object.entries(attributes)) {
    if (!isNamespace(name)) texts[csvName(joined(path, plainName(name)))] = value
  }
  const counts = new Map<string, number>()
  for (const child of children) {
    const count = (counts.get(child.name) ?? 0) + 1
    counts.set(child.name, count)
    const own = joined(path, child.name)
    // A second element of a name that is not known to be a list is numbered, too, rather than lost.
    addElement(child, repeated.has(child.name) || count > 1 ? `${own}.${count}` : own, texts)
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** JSON in the way of the publisher: `$` is an element's text, `@…` are its attributes. */
const addJson = (value: unknown, path: string, texts: Texts): void => {
  if (Array.isArray(value)) {
    value.forEach((item: unknown, index) => {
      addJson(item, `${path}.${index + 1}`, texts)
    })
  } else if (isObject(value)) {
    for (const [name, item] of Object.entries(value)) {
      if (name === '$') addJson(item, path, texts)
      else if (!isNamespace(name.replace(/^@/, ''))) {
        addJson(item, joined(path, plainName(name.replace(/^@/, ''))), texts)
      }
    }
  } else if (value !== null && value !== undefined && value !== '') texts[csvName(path)] = String(value)
}

const isXmlElement = (record: object): record is XmlElement => 'children' in record && Array.isArray(record.children)

/** Asked of the fields that records begin with: all hundreds of a CSV record would take longer than to map them. */
const isNested = ({ LEI, Relationship }: Readonly<Record<string, unknown>>): boolean =>
  isObject(LEI) || isObject(Relationship)

/** A record of any of the three formats as one of the CSV; undefined for what is no record at all. */
export const flatRecord = (record: unknown): FlatRecord | undefined => {
  if (!isObject(record)) return undefined
  // Without a prototype: a column may be named __proto__.
  const texts: Texts = Object.create(null)
  if (isXmlElement(record)) addElement(record, '', texts)
  else if (isNested(record)) addJson(record, '', texts)
  else return record as FlatRecord // of the csv reader, which gives texts and nulls
  return texts
}
