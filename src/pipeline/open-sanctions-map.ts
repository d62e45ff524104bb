/**
 * An entity of OpenSanctions becomes its row, and the rows by which it is found. Documents and sanctions are entities of
 * their own there, which name the one they are about: their rows are that one's.
 *
 * `last_seen` is when the publisher looked last, for every entity and with every export: as of when the whole holds, not
 * a fact of the entity. In its row it would make all of them change every few hours.
 */
import { type FtmEntity, ftmEntity, targetEntity } from './open-sanctions-entity.ts'
import {
  birthProperties,
  countryProperties,
  documentSchemata,
  isIdentifier,
  nameProperties,
  referenceProperties,
} from './open-sanctions-properties.ts'
import type { MapContext } from './types.ts'

const hasLatin = (text: string): boolean => /\p{Script=Latin}/u.test(text)
const hasLetters = (text: string): boolean => /\p{L}/u.test(text)

const jsonOf = (values: readonly string[]): string | null => (values.length === 0 ? null : JSON.stringify(values))

/** The publisher's times are UTC and do not say so. */
export const instantOf = (text: string | null): string | null =>
  text !== null && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(text) ? `${text}Z` : text

const joined = (entity: FtmEntity, property: string): string | null =>
  entity.properties.get(property)?.join('; ') ?? null

const isObject = (record: unknown): record is Readonly<Record<string, unknown>> =>
  typeof record === 'object' && record !== null && !Array.isArray(record)

const entityOf = (record: unknown, context: MapContext): FtmEntity => {
  if (!isObject(record)) return context.reject('it is no entity')
  if ('properties' in record) return ftmEntity(record, context)
  if (!('dataset' in record)) return context.reject('it has no properties')
  return targetEntity(record as Readonly<Record<string, string | null>>, context) // what the csv reader gives
}

/** Emits the rows of a record: a line of `entities.ftm.json`, or a row of `targets.simple.csv`. */
export const mapOpenSanctions = (record: unknown, context: MapContext): void => {
  const entity = entityOf(record, context)
  const { id, schema, caption, target, datasets, referents, firstSeen, lastSeen, lastChange, properties, rest } = entity
  const seen = instantOf(lastSeen)
  if (seen !== null) context.publisherDate(seen)
  const countries = [...properties].filter(([name]) => countryProperties.has(name)).flatMap(([, values]) => values)
  context.emit('ftm_entity', {
    id,
    schema,
    caption,
    target,
    topics: jsonOf(properties.get('topics') ?? []),
    countries: jsonOf([...new Set(countries)].sort()),
    datasets: jsonOf(datasets),
    referents: jsonOf(referents),
    first_seen: instantOf(firstSeen),
    last_change: instantOf(lastChange),
    properties: JSON.stringify(Object.fromEntries(properties)),
    attributes: rest === null ? null : JSON.stringify(rest),
  })
  for (const [property, values] of properties) {
    if (!referenceProperties.has(property)) continue
    for (const target_id of values) context.emit('reference', { entity_id: id, property, target_id })
  }
  if (schema === 'Address') emitAddress(entity, context)
  else if (documentSchemata.has(schema)) emitDocument(entity, context)
  else if (schema === 'Sanction') emitSanction(entity, context)
  else emitThing(entity, context)
}

const emitThing = (entity: FtmEntity, context: MapContext): void => {
  const { id: entity_id, properties } = entity
  emitNames(entity, context)
  for (const address of properties.get('address') ?? []) context.emit('address', { entity_id, address })
  for (const [property, values] of properties) {
    if (birthProperties.has(property)) for (const value of values) context.emit('birth', { entity_id, property, value })
    else if (isIdentifier(property)) {
      for (const number of values) context.emit('identifier', { entity_id, type: property, number, document_id: '' })
    }
  }
}

const emitNames = ({ id: entity_id, caption, target, properties }: FtmEntity, context: MapContext): void => {
  let isNamed = false
  for (const [property, { kind, strength }] of Object.entries(nameProperties)) {
    for (const name of properties.get(property) ?? []) {
      isNamed = true
      const isOtherScript = caption !== null && hasLatin(caption) && !hasLatin(name) && hasLetters(name)
      // An entity has several names of equal standing, one of which the publisher calls it by.
      const own = kind !== 'primary' ? kind : name === caption ? kind : isOtherScript ? 'original-script' : 'alias'
      context.emit('name', { entity_id, property, name, kind: own, strength })
    }
  }
  // A wallet, say, which has a number only: the publisher calls it by that.
  if (!isNamed && target === true && caption !== null) {
    context.emit('name', { entity_id, property: 'caption', name: caption, kind: 'primary', strength: 'strong' })
  }
}

const emitAddress = (entity: FtmEntity, context: MapContext): void => {
  const parts = ['street', 'street2', 'postOfficeBox', 'city', 'postalCode', 'region', 'state', 'country']
  const inParts = parts.map((part) => joined(entity, part)).filter((text) => text !== null)
  const address = joined(entity, 'full') ?? (inParts.join(', ') || entity.caption)
  if (address === null) return
  context.emit('address', {
    entity_id: entity.id,
    address,
    street: joined(entity, 'street'),
    city: joined(entity, 'city'),
    region: joined(entity, 'region') ?? joined(entity, 'state'),
    postal_code: joined(entity, 'postalCode'),
    country: joined(entity, 'country'),
  })
}

const emitDocument = (entity: FtmEntity, context: MapContext): void => {
  const type = joined(entity, 'type') ?? entity.schema
  for (const entity_id of entity.properties.get('holder') ?? []) {
    for (const number of entity.properties.get('number') ?? []) {
      const country = joined(entity, 'country')
      context.emit('identifier', { entity_id, type, number, country, document_id: entity.id })
    }
  }
}

const emitSanction = (entity: FtmEntity, context: MapContext): void => {
  for (const entity_id of entity.properties.get('entity') ?? []) {
    context.emit('sanction', {
      sanction_id: entity.id,
      entity_id,
      program: joined(entity, 'program'),
      program_id: joined(entity, 'programId'),
      authority: joined(entity, 'authority'),
      authority_id: joined(entity, 'authorityId') ?? joined(entity, 'unscId'),
      country: joined(entity, 'country'),
      listing_date: entity.properties.get('listingDate')?.[0],
      start_date: entity.properties.get('startDate')?.[0],
      end_date: entity.properties.get('endDate')?.at(-1),
      status: joined(entity, 'status'),
      provisions: joined(entity, 'provisions'),
      reason: joined(entity, 'reason'),
      source_url: joined(entity, 'sourceUrl'),
    })
  }
}
