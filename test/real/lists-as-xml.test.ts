/** Real files of elements that no pipeline of ours reads, against what their README lists. */
import { describe, expect, it } from 'vitest'
import type { XmlElement } from '../../src/pipeline/types.ts'
import { hasSharedData } from './shared-data.ts'
import { imported, listOf } from './without-pipeline.ts'

const children = (element: unknown, ...path: readonly string[]): readonly XmlElement[] =>
  path.reduce<readonly XmlElement[]>(
    (found, name) => found.flatMap((each) => each.children.filter((child) => child.name === name)),
    [element as XmlElement], // as the xml reader gives
  )
const textOf = (element: unknown, ...path: readonly string[]): string | null =>
  children(element, ...path)[0]?.text ?? null

describe.skipIf(!hasSharedData)('real lists as XML, without a pipeline', () => {
  it('the UK list as XML has its designations with their names, addresses and births', async () => {
    const { result, rows } = await imported(
      'uk/ukls-2026-09-02-excerpt.xml',
      listOf({
        format: { type: 'xml', records: 'Designation', root: 'Designations' },
        tables: {
          designation: {
            description: 'A designation',
            columns: {
              id: 'TEXT',
              type: 'TEXT',
              group_id: 'INTEGER',
              un: 'TEXT',
              name: 'TEXT',
              names: 'INTEGER',
              addresses: 'INTEGER',
              births: 'TEXT',
            },
            key: ['id'],
          },
        },
        preamble: (said, { publisherDate }) => {
          const [day, month, year] = (said.type === 'xml' ? textOf(said.root, 'DateGenerated') : null)?.split('/') ?? []
          publisherDate(`${year}-${month}-${day}`)
        },
        map: (record, { emit }) =>
          emit('designation', {
            id: textOf(record, 'UniqueID'),
            type: textOf(record, 'IndividualEntityShip'),
            group_id: Number(textOf(record, 'OFSIGroupID')),
            un: textOf(record, 'UNReferenceNumber'),
            name: textOf(record, 'Names', 'Name', 'Name6'),
            names: children(record, 'Names', 'Name').length,
            addresses: children(record, 'Addresses', 'Address').length,
            births: children(record, 'IndividualDetails', 'Individual', 'DOBs', 'DOB')
              .map(({ text }) => text)
              .join(),
          }),
      }),
    )
    expect(result).toMatchObject({ outcome: 'published', rejected: 0, rows: { designation: 2 } })
    expect(rows('SELECT id, type, group_id, un, names, addresses, births FROM designation ORDER BY id')).toEqual([
      ['AFG0001', 'Entity', 12703, 'TAe.010', 3, 2, ''],
      ['AFG0006', 'Individual', 7172, 'TAi.002', 1, 1, 'dd/mm/1945,dd/mm/1946'],
    ])
    expect(rows(`SELECT value FROM meta WHERE key = 'publisherDate'`)).toEqual([['2026-09-02']])
  })

  it.each(['sample_ofac_consolidated.xml', 'sample_ofac_sdn.zip'])(
    'OFAC’s %s has its entries, and says that they are not as many as it says',
    async (name) => {
      const { result, rows, warnings } = await imported(
        `ofac/xml/${name}`,
        listOf({
          format: { type: 'xml', records: '/sdnList/sdnEntry', root: 'sdnList' },
          ...(name.endsWith('.zip') ? { archive: { member: 't/data/sdn.xml' } } : {}),
          tables: {
            entry: {
              description: 'An entry',
              columns: { uid: 'INTEGER', type: 'TEXT', name: 'TEXT', names: 'INTEGER', addresses: 'INTEGER' },
              key: ['uid'],
            },
          },
          preamble: (said, { expectRecords }) => {
            if (said.type === 'xml') expectRecords(Number(textOf(said.root, 'publshInformation', 'Record_Count')))
          },
          map: (record, { emit }) =>
            emit('entry', {
              uid: Number(textOf(record, 'uid')),
              type: textOf(record, 'sdnType'),
              name: textOf(record, 'lastName'),
              names: children(record, 'akaList', 'aka').length,
              addresses: children(record, 'addressList', 'address').length,
            }),
        }),
      )
      expect(result).toMatchObject({ outcome: 'published', rejected: 0, rows: { entry: 8 } })
      expect(warnings).toEqual([expect.stringMatching(/says that it holds 8197 records, but 8 were read/)])
      expect(rows('SELECT uid FROM entry ORDER BY rowid').flat().sort()).toEqual(
        [10689, 18619, 19187, 19188, 12057, 15496, 15497, 12345].sort(),
      )
      expect(rows('SELECT type, count(*) FROM entry GROUP BY 1 ORDER BY 1')).toEqual([
        ['Entity', 2],
        ['Individual', 6],
      ])
      expect(rows('SELECT sum(names), sum(addresses) FROM entry')).toEqual([[27, 7]])
    },
  )

  it('the Swiss list has its programs, and no target, which is told', async () => {
    const { result, rows, warnings } = await imported(
      'ch-seco/bfh-test-seco.xml',
      listOf({
        format: { type: 'xml', records: ['sanctions-program', 'target'], root: 'swiss-sanctions-list' },
        tables: {
          program: { description: 'A program', columns: { ssid: 'INTEGER', keys: 'INTEGER' }, key: ['ssid'] },
          sanctions_set: {
            description: 'A set of a program, in a language',
            columns: { ssid: 'INTEGER', lang: 'TEXT', name: 'TEXT' },
            key: ['ssid', 'lang'],
          },
          target: { description: 'Who is listed', columns: { ssid: 'INTEGER' }, key: ['ssid'] },
        },
        guards: { minRows: { target: 1 } },
        preamble: (said, { publisherDate }) => {
          if (said.type === 'xml') publisherDate(said.root.attributes.date ?? '')
        },
        map: (record, { emit }) => {
          const { name, attributes } = record as XmlElement // as the xml reader gives
          if (name === 'target') return emit('target', { ssid: Number(attributes.ssid) })
          emit('program', { ssid: Number(attributes.ssid), keys: children(record, 'program-key').length })
          for (const { attributes: of, text } of children(record, 'sanctions-set'))
            emit('sanctions_set', { ssid: Number(of.ssid), lang: of.lang, name: text })
        },
      }),
    )
    expect(result).toMatchObject({
      outcome: 'published',
      rejected: 0,
      rows: { program: 2, sanctions_set: 3, target: 0 },
    })
    expect(warnings).toContain('target has 0 rows, at least 1 are expected')
    expect(rows('SELECT ssid, keys FROM program ORDER BY ssid')).toEqual([
      [1, 3],
      [2, 1],
    ])
    expect(rows('SELECT count(DISTINCT ssid) FROM sanctions_set')).toEqual([[2]])
    expect(rows(`SELECT value FROM meta WHERE key = 'publisherDate'`)).toEqual([['2017-11-08']])
  })
})
