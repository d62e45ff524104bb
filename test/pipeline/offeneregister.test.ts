import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { codeRoot } from '../../src/package-root.ts'
import { loadPipeline, type Pipeline } from '../../src/pipeline/discover.ts'
import type { Row } from '../../src/pipeline/types.ts'

let pipeline: Pipeline
beforeAll(async () => {
  pipeline = await loadPipeline('offeneregister', [join(codeRoot, 'pipelines')])
})

/** What a line of the source becomes: rows by table, fields that the mapping does not know, and the date it gives. */
const mapped = (record: unknown) => {
  const rows: Record<string, Row[]> = {}
  const unknown: string[] = []
  const dates: string[] = []
  pipeline.definition.map(record, {
    source: 'file',
    line: 1,
    state: {},
    runState: {},
    emit: (table, row) => {
      const inTable = rows[table] ?? []
      rows[table] = [...inTable, row]
    },
    remark: () => undefined,
    unknown: (field) => void unknown.push(field),
    publisherDate: (date) => void dates.push(date),
    reject: (reason) => {
      throw new Error(reason)
    },
  })
  return { rows, unknown, dates }
}

const company = { company_number: 'K1101R_HRB150148', name: 'olly UG' }

describe('a company of OffeneRegister', () => {
  it('becomes a company and its officers, previous names and registrations, numbered in their order', () => {
    const { rows, unknown, dates } = mapped({
      ...company,
      all_attributes: {
        _registerArt: 'HRB',
        _registerNummer: '150148',
        additional_data: { AD: true },
        federal_state: 'Hamburg',
        native_company_number: 'Hamburg HRB 150148',
        registered_office: 'Hamburg',
        registrar: 'Hamburg',
      },
      current_status: 'currently registered',
      jurisdiction_code: 'de',
      officers: [
        {
          name: 'Ada',
          position: 'Geschäftsführer',
          type: 'person',
          start_date: '2018-02-06',
          other_attributes: { city: 'Hamburg', firstname: 'Ada', flag: 'allein' },
        },
        { name: 'Bob', other_attributes: { dismissed: true } },
      ],
      previous_names: [{ company_name: 'jolly UG' }],
      subsequent_registrations: [
        {
          previous_entity: {
            entity_type: 'company',
            entity_properties: { company_number: 'X', jurisdiction_code: 'de' },
          },
          confidence: 'HIGH',
        },
      ],
      registered_address: 'Waidmannstraße 1, 22769 Hamburg.',
      retrieved_at: '2018-11-09T18:03:03Z',
    })
    expect(unknown).toEqual([])
    expect(dates).toEqual(['2018-11-09T18:03:03Z'])
    expect(Object.keys(rows)[0]).toBe('company')
    expect(rows.company).toEqual([
      expect.objectContaining({
        company_number: 'K1101R_HRB150148',
        register_art: 'HRB',
        native_company_number: 'Hamburg HRB 150148',
        postcode: '22769',
        flags: '{"AD":true}',
        attributes: null,
      }),
    ])
    expect(rows.officer).toEqual([
      expect.objectContaining({
        company_id: company.company_number,
        ordinal: 1,
        name: 'Ada',
        city: 'Hamburg',
        dismissed: null,
        attributes: null,
      }),
      expect.objectContaining({ company_id: company.company_number, ordinal: 2, name: 'Bob', dismissed: true }),
    ])
    expect(rows.previous_name).toEqual([
      { company_id: company.company_number, ordinal: 1, company_name: 'jolly UG', attributes: null },
    ])
    expect(rows.registrations).toEqual([
      expect.objectContaining({
        company_id: company.company_number,
        ordinal: 1,
        previous_company_number: 'X',
        previous_jurisdiction_code: 'de',
        previous_entity_type: 'company',
        subsequent_company_number: null,
        confidence: 'HIGH',
        attributes: null,
      }),
    ])
  })

  it('emits columns of its tables and no other', () => {
    const { rows } = mapped({ ...company, officers: [{}], previous_names: [{}], subsequent_registrations: [{}] })
    for (const [table, each] of Object.entries(rows)) {
      const declared = Object.keys(pipeline.definition.tables[table]?.columns ?? {})
      expect(Object.keys(each[0] ?? {}).sort()).toEqual(declared.sort())
    }
    expect(Object.keys(rows)).toEqual(Object.keys(pipeline.definition.tables))
  })

  it('loses no field that has no column: each is counted and kept in its own shape', () => {
    const { rows, unknown } = mapped({
      ...company,
      colour: 'red',
      all_attributes: { _registerArt: 'HRB', size: { tall: 1 } },
      officers: [{ name: 'Ada', shoe: 38, other_attributes: { hat: 'top' } }],
      previous_names: [{ company_name: 'x', until: '2001' }],
      subsequent_registrations: [
        { note: 'n', subsequent_entity: { kind: 'k', entity_properties: { company_number: 'Y', place: 'p' } } },
      ],
    })
    const kept = (table: string): unknown => JSON.parse(String(rows[table]?.[0]?.attributes))
    expect(kept('company')).toEqual({ colour: 'red', all_attributes: { size: { tall: 1 } } })
    expect(kept('officer')).toEqual({ shoe: 38, other_attributes: { hat: 'top' } })
    expect(kept('previous_name')).toEqual({ until: '2001' })
    expect(kept('registrations')).toEqual({
      note: 'n',
      subsequent_entity: { kind: 'k', entity_properties: { place: 'p' } },
    })
    expect([...unknown].sort()).toEqual([
      'all_attributes.size',
      'colour',
      'officers[].other_attributes.hat',
      'officers[].shoe',
      'previous_names[].until',
      'subsequent_registrations[].note',
      'subsequent_registrations[].subsequent_entity.entity_properties.place',
      'subsequent_registrations[].subsequent_entity.kind',
    ])
  })

  it.each<[string | undefined, string | null]>([
    ['Waidmannstraße 1, 22769 Hamburg.', '22769'],
    ['Berlin', null],
    ['12345 Hamburg', null],
    ['Weg 1, 123456 Ort', null],
    ['Weg 1, 12345', null],
    [undefined, null],
  ])('with the address %s has the postcode %s', (registered_address, postcode) => {
    expect(mapped({ ...company, registered_address }).rows.company?.[0]?.postcode).toBe(postcode)
  })

  it.each<[object, string]>([
    [{ name: 'x' }, 'company_number is missing'],
    [{ company_number: 'x' }, 'name is missing'],
    [{ ...company, officers: {} }, 'officers should be a list'],
    [{ ...company, officers: ['Ada'] }, 'officers should be objects'],
    [{ ...company, officers: [{ other_attributes: { dismissed: 'yes' } }] }, 'dismissed should be true or false'],
  ])('that is wrong is rejected: %j', (record, reason) => {
    expect(() => mapped(record)).toThrow(reason)
  })
})
