import { describe, expect, it } from 'vitest'
import { boundValues, inputSchemaOf, jsonSchemaOf } from '../../src/schema/arguments.ts'
import { freeQuery } from '../../src/schema/injected.ts'
import type { SchemaParameter, SchemaQuery } from '../../src/schema/types.ts'

const queryWith = (...parameters: Partial<SchemaParameter>[]): SchemaQuery => ({
  name: 'find',
  description: 'Find',
  sql: 'SELECT 1',
  parameters: parameters.map((parameter) => ({
    name: 'a',
    type: 'string',
    required: true,
    description: 'An a',
    ...parameter,
  })),
})

const number: Partial<SchemaParameter> = { type: 'number' }
const invalid = (message: RegExp) =>
  expect.objectContaining({ code: 'ARGUMENTS_INVALID', message: expect.stringMatching(message) })

describe('numbers of rows', () => {
  const paged: SchemaQuery = {
    ...queryWith({ name: 'a', ...number }, { name: 'limit', ...number }, { name: 'offset', ...number }),
    sql: 'SELECT 1 WHERE ? < 1 LIMIT ? OFFSET ?',
  }

  it.each([
    [{ limit: -5 }, /limit: .*>=0/],
    [{ limit: '-1' }, /limit: .*>=0/],
    [{ limit: 1.5 }, /limit: must be a whole number/],
    [{ limit: '1.5' }, /limit: must be a whole number/],
    [{ offset: -1 }, /offset: .*>=0/],
  ])('are whole and not negative after LIMIT and OFFSET: %j', (args, message) => {
    expect(() => boundValues(paged, { a: 1, limit: 1, offset: 0, ...args })).toThrow(invalid(message))
  })

  it('may be none, and other numbers may be any', () => {
    expect(boundValues(paged, { a: -1.5, limit: 0, offset: '0' })).toEqual([-1.5, 0, 0])
  })

  it('are whole for a free query as well', () => {
    expect(() => boundValues(freeQuery, { sql: 'SELECT 1', limit: '1.5' })).toThrow(invalid(/limit: .*whole number/))
  })
})

describe('values of placeholders', () => {
  it('are in the order of the parameters, with defaults and fixed values', () => {
    const query = queryWith(
      { name: 'b', ...number, required: false, default: 20 },
      { name: 'status', required: false, fixed: 'active' },
      { name: 'a' },
      { name: 'c', required: false },
    )
    expect(boundValues(query, { a: 'x' })).toEqual([20, 'active', 'x', null])
    expect(boundValues(query, { c: 'z', a: 'x', b: 5 })).toEqual([5, 'active', 'x', 'z'])
  })

  it('are 1 and 0 for truth values, in text too', () => {
    const query = queryWith({ name: 'a', type: 'boolean' }, { name: 'b', type: 'boolean' })
    expect(boundValues(query, { a: true, b: false })).toEqual([1, 0])
    expect(boundValues(query, { a: 'false', b: 'true' })).toEqual([0, 1])
  })

  it.each([
    ['12', 12],
    ['-1.5', -1.5],
    ['007', 7],
    ['9007199254740993', 9007199254740993n],
    ['-9223372036854775808', -9223372036854775808n],
  ])('are numbers where a number was sent as the text %s', (text, value) => {
    expect(boundValues(queryWith(number), { a: text })).toEqual([value])
  })

  it.each(['', ' 1', '1e3', '0x1', 'Infinity', 'NaN', 'one', '99999999999999999999'])(
    'are not guessed from the text %j',
    (text) => {
      expect(() => boundValues(queryWith(number), { a: text })).toThrow(invalid(/a: .*number/))
    },
  )

  it('are the same for parameters of one name', () => {
    expect(boundValues(queryWith({ name: 'a' }, { name: 'a' }), { a: 'x' })).toEqual(['x', 'x'])
  })

  it('take null for an optional argument that is left out', () => {
    expect(boundValues(queryWith({ ...number, required: false, default: 3 }), { a: null })).toEqual([3])
    expect(() => boundValues(queryWith({}), { a: null })).toThrow(invalid(/a: .*string/))
  })
})

describe('arguments that do not fit', () => {
  it('are refused with what is wrong and what the query takes', () => {
    const query = queryWith({ name: 'text' }, { name: 'limit', ...number, required: false, default: 20, max: 100 })
    expect(() => boundValues(query, { limit: 500 })).toThrow(
      invalid(
        /^find: text: is missing; limit: .*<=100\. It takes text \(string, required\), limit \(number, 20 unless/,
      ),
    )
  })

  it.each([
    [{ min: 2 }, 'x'],
    [{ max: 2 }, 'xyz'],
    [{ length: 2 }, 'x'],
    [{ enum: ['x', 'y'] }, 'z'],
    [{}, 7],
    [{ ...number, min: 1 }, 0],
    [{ ...number, max: 10 }, '11'],
    [{ ...number, max: 10 }, '9007199254740993'],
    [{ ...number, enum: [1, 2] }, 3],
    [{ type: 'boolean' }, 1],
  ] as const)('%j does not take %j', (parameter, value) => {
    expect(() => boundValues(queryWith(parameter), { a: value })).toThrow(invalid(/find: a: /))
  })

  it('have names that the query does not know', () => {
    expect(() => boundValues(queryWith({ required: false }), { limt: 1 })).toThrow(
      invalid(/limt.*takes a \(string, opt/),
    )
    expect(() => boundValues(queryWith({ fixed: 'x' }), { a: 'y' })).toThrow(invalid(/no arguments/))
  })

  it('are missing where they only exist on every object', () => {
    expect(() => boundValues(queryWith({ name: 'constructor' }), {})).toThrow(invalid(/constructor: is missing/))
  })
})

describe('the input schema', () => {
  it('applies defaults', () => {
    expect(inputSchemaOf(queryWith({ ...number, required: false, default: 3 })).parse({})).toEqual({ a: 3 })
  })

  it('is a JSON Schema that describes every property', () => {
    const query = queryWith(
      { name: 'text', min: 2, max: 9, description: 'Words' },
      { name: 'limit', ...number, required: false, default: 20, min: 1, max: 100, description: 'Rows' },
      { name: 'kind', enum: ['x', 'y'], required: false, description: 'Kind' },
      { name: 'flag', type: 'boolean', description: 'Flag' },
      { name: 'hidden', fixed: 'x', description: 'Hidden' },
    )
    expect(jsonSchemaOf(query)).toEqual({
      type: 'object',
      properties: {
        text: { type: 'string', minLength: 2, maxLength: 9, description: 'Words' },
        limit: { type: 'number', minimum: 1, maximum: 100, default: 20, description: 'Rows' },
        kind: { type: 'string', enum: ['x', 'y'], description: 'Kind' },
        flag: { type: 'boolean', description: 'Flag' },
      },
      required: ['text', 'flag'],
      additionalProperties: false,
    })
  })

  it('is an empty object where nothing is asked', () => {
    expect(jsonSchemaOf(queryWith())).toEqual({ type: 'object', properties: {}, additionalProperties: false })
  })
})
