/**
 * A tiny pipeline: places with their visits, a record per line:
 * `{"id":"a","name":"Aachen","people":250000,"visits":["Ada"]}`.
 */
import { kit } from '../../src/pipeline/define.ts'
import type { PipelineDefinition } from '../../src/pipeline/types.ts'

export const places: PipelineDefinition = {
  id: 'places',
  title: 'Places',
  description: 'Places that somebody went to',
  publisher: 'Nobody',
  homepage: 'https://example.org/',
  licence: { name: 'CC0', url: 'https://example.org/licence', attribution: 'nobody' },
  database: 'places.db',
  aliases: ['further-places.db'],
  schedule: { cron: '0 4 * * *', timeZone: 'Europe/Berlin' },
  sources: [{ name: 'places.jsonl.gz', url: 'http://127.0.0.1:9/places.jsonl.gz', format: { type: 'jsonl' } }],
  tables: {
    place: {
      description: 'A place',
      columns: { id: 'TEXT', name: { type: 'TEXT', description: 'As people call it' }, people: 'INTEGER' },
      key: ['id'],
      title: 'name',
      indexes: [['name']],
      related: [{ name: 'visits', table: 'visit', on: { place_id: 'id' }, orderBy: ['ordinal'] }],
    },
    visit: {
      description: 'Somebody who went to a place',
      surrogate: 'number',
      columns: { place_id: 'TEXT', ordinal: 'INTEGER', visitor: 'TEXT' },
      key: ['place_id', 'ordinal'],
    },
  },
  views: { large: { description: 'Places of many', sql: 'SELECT id, name FROM place WHERE people > 1000' } },
  fullText: [{ name: 'place_fts', table: 'place', columns: ['name'], german: true }],
  map: (record, context) => {
    const place = kit.fields(record, context)
    const id = place.requiredText('id')
    const people = place.text('people')
    const asOf = place.text('as_of')
    if (asOf !== null) context.publisherDate(asOf)
    context.emit('place', { id, name: place.text('name'), people })
    for (const [index, visit] of place.list('visits').entries()) {
      context.emit('visit', { place_id: id, ordinal: index + 1, visitor: visit.text('by') })
    }
    place.rest()
  },
}

/** A record as a line of the source has it. */
export interface Place {
  readonly id: string
  readonly name?: string | null
  readonly people?: number | string
  readonly visits?: readonly { readonly by: string }[]
  readonly [further: string]: unknown
}
