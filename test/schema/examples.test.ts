/** Every dialect comes to one normal form, with nothing that a check of it would call an error. */
import { describe, expect, it } from 'vitest'
import { boundValues, jsonSchemaOf } from '../../src/schema/arguments.ts'
import { parseSchema } from '../../src/schema/parse.ts'
import type { SchemaQuery } from '../../src/schema/types.ts'
import { validateSchema } from '../../src/schema/validate.ts'
import { examples } from './examples.ts'

const roots = { globalRoot: '/global', projectRoot: '/here/.flowmcp', exists: () => true }

/** What is the same in all dialects: names, types, limits, which values are fixed and which have a default. */
const essence = ({ name, sql, parameters }: SchemaQuery) => ({
  name,
  sql,
  parameters: parameters.map(({ description: _, type, fixed, ...parameter }) => ({
    ...parameter,
    // The documentation's truth value is a number to the others.
    ...(fixed === undefined ? { type } : { fixed: Number(fixed) }),
  })),
})

describe.each(examples)('a schema in $dialect', ({ dialect, namespace, text, notServed }) => {
  const schema = parseSchema(text, '/schemas/wells.mjs')
  const byPlace = schema.resources[0]?.queries.find(({ name }) => name === 'byPlace')
  if (byPlace === undefined) throw new Error('every example has byPlace')

  it('is recognised', () => {
    expect([schema.dialect, schema.namespace]).toEqual([dialect, namespace])
  })

  it('comes to the normal form', () => {
    expect(essence(byPlace)).toEqual({
      name: 'byPlace',
      sql: 'SELECT id, place, works FROM well WHERE place = ? AND works = ? ORDER BY id LIMIT ?',
      parameters: [
        { name: 'place', type: 'string', required: true, min: 2, max: 40 },
        { name: 'works', required: false, fixed: 1 },
        { name: 'most', type: 'number', required: false, default: 2, min: 1, max: 5 },
      ],
    })
  })

  it('shows what it takes exactly, with a description of everything, and hides what is fixed', () => {
    const described = { description: expect.stringMatching(/.{5}/) }
    expect(jsonSchemaOf(byPlace)).toEqual({
      type: 'object',
      properties: {
        place: { type: 'string', minLength: 2, maxLength: 40, ...described },
        most: { type: 'number', multipleOf: 1, minimum: 1, maximum: 5, default: 2, ...described },
      },
      required: ['place'],
      additionalProperties: false,
    })
  })

  it('binds defaults and fixed values, and refuses what does not fit before anything is bound', () => {
    expect(boundValues(byPlace, { place: 'Musterstadt' })).toEqual(['Musterstadt', 1, 2])
    for (const args of [
      {},
      { place: 'M' },
      { place: 1 },
      { place: 'Musterstadt', most: 6 },
      { place: 'Mu', works: 0 },
    ]) {
      expect(() => boundValues(byPlace, args)).toThrow(expect.objectContaining({ code: 'ARGUMENTS_INVALID' }))
    }
  })

  it('says what is not served of it', () => {
    expect(schema.notServed).toEqual(notServed)
  })

  it('has no errors, and its dialect is named', () => {
    const check = validateSchema(text, '/schemas/wells.mjs', roots)
    expect(check.dialect).toBe(dialect)
    expect(check.findings.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(check.findings.filter(({ rule }) => rule === 'NOT_SERVED').map(({ message }) => message)).toEqual(notServed)
  })
})
