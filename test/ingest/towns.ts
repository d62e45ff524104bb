/**
 * A tiny pipeline whose deliveries may be deltas: towns with visits (numbered by the loader), what was said of each visit,
 * and tags (which have no key); people, who live in a town and come in records of their own; and how often each town was
 * visited, which is derived.
 */
import type { PipelineDefinition } from '../../src/pipeline/types.ts'
import { places } from '../pipeline/places.ts'

const hanging = (name: string, on: Readonly<Record<string, string>>) => ({ name, table: name, on, orderBy: [] })

export interface Town {
  readonly town: string
  readonly asOf?: string
  readonly size?: number
  readonly tags?: readonly string[]
  /** Day → what was said of the visit. */
  readonly visits?: Readonly<Record<string, readonly string[]>>
}

export interface Person {
  readonly person: string
  readonly lives?: string
}

export type TownRecord = Town | Person

export const towns: PipelineDefinition = {
  ...places,
  sources: [
    {
      name: 'towns.jsonl.zip',
      url: 'http://127.0.0.1:9/towns.jsonl.zip',
      format: { type: 'jsonl' },
      archive: { member: '*.jsonl' },
    },
  ],
  tables: {
    town: {
      description: 'A town',
      columns: { town: 'TEXT', size: 'INTEGER', as_of: 'TEXT', area: 'REAL', seal: 'BLOB' },
      key: ['town'],
      related: [
        hanging('visit', { town: 'town' }),
        hanging('tag', { of: 'town' }),
        hanging('person', { lives: 'town' }),
      ],
    },
    visit: {
      description: 'A visit to a town',
      surrogate: 'number',
      columns: { town: 'TEXT', day: 'TEXT' },
      key: ['town', 'day'],
      related: [hanging('remark', { town: 'town', day: 'day' })],
    },
    remark: { description: 'What was said', columns: { town: 'TEXT', day: 'TEXT', text: 'TEXT' }, key: [] },
    tag: { description: 'A tag of a town', columns: { of: 'TEXT', tag: 'TEXT' }, key: [] },
    person: { description: 'Somebody', columns: { person: 'TEXT', lives: 'TEXT' }, key: ['person'] },
    visited: {
      description: 'How often a town was visited',
      columns: { town: 'TEXT', visits: 'INTEGER' },
      key: ['town'],
      derivedBy: 'SELECT town, count(*) FROM visit GROUP BY town',
    },
  },
  views: {},
  fullText: [{ name: 'town_fts', table: 'town', columns: ['town'] }],
  delta: {
    files: ['*update*'],
    records: { town: ['visit', 'remark', 'tag'], person: [] },
    changedOn: { town: 'as_of' },
  },
  guards: { maxRejected: 0.5, minFilled: { town: { size: 0.5 } } },
  map: (record, context) => {
    // The tests' own records.
    const one = record as TownRecord
    if ('person' in one) context.emit('person', { person: one.person, lives: one.lives })
    else {
      const { town, size, asOf = null, tags = [], visits = {} } = one
      if (size === 13) context.reject('unlucky')
      const seal = new TextEncoder().encode(town)
      context.emit('town', { town, size, as_of: asOf, area: size === undefined ? null : size / 4, seal })
      for (const tag of tags) context.emit('tag', { of: town, tag })
      for (const [day, remarks] of Object.entries(visits)) {
        context.emit('visit', { town, day })
        for (const text of remarks) context.emit('remark', { town, day, text })
      }
    }
  },
}

export const townLines = (...records: readonly TownRecord[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('')
