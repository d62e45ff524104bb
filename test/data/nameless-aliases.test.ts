/** What a list says of an alias that it gives no name: no name is made of it, and it is not lost. */
import { expect, it } from 'vitest'
import { loadPipeline } from '../../src/pipeline/discover.ts'
import { delivery, ingest, query } from '../ingest/ingesting.ts'
import { scratchStore } from '../store/scratch-store.ts'

const rowsOf = async (dataset: string, xml: string, sql: string): Promise<unknown[]> => {
  const { definition } = await loadPipeline(dataset)
  const store = scratchStore()
  expect(await ingest(store, delivery(xml, 'list.xml'), { definition })).toMatchObject({ outcome: 'published' })
  return query(store, sql, definition.database)
}

it('of the EU, its title and function are kept beside the entity', async () => {
  const xml = `<export generationDate="2026-10-01T15:29:22.497+02:00"><sanctionEntity logicalId="1" euReferenceNumber="EU.1">
    <subjectType code="person"/><nameAlias wholeName="Probus FIKTIVOV" strong="true" logicalId="11"/>
    <nameAlias wholeName="" title="Dr" function="Head of samples" nameLanguage="EN" strong="true" logicalId="12"/>
    <nameAlias wholeName="" nameLanguage="EN" strong="true" logicalId="13"/></sanctionEntity></export>`
  const sql = 'SELECT (SELECT count(*) FROM name), attributes FROM subject'
  expect(await rowsOf('eufsf', xml, sql)).toEqual([
    [1, JSON.stringify({ nameAlias: [{ logicalId: '12', function: 'Head of samples', title: 'Dr' }] })],
  ])
})

it('of the UN, its note and birth are kept beside the entry', async () => {
  const xml = `<CONSOLIDATED_LIST dateGenerated="2026-10-01T00:00:09.554Z"><INDIVIDUALS><INDIVIDUAL>
    <DATAID>1</DATAID><FIRST_NAME>PROBUS</FIRST_NAME><REFERENCE_NUMBER>ZZi.1</REFERENCE_NUMBER>
    <INDIVIDUAL_ALIAS><QUALITY>Low</QUALITY><ALIAS_NAME/><NOTE>as above</NOTE><DATE_OF_BIRTH>1950</DATE_OF_BIRTH></INDIVIDUAL_ALIAS>
    <INDIVIDUAL_ALIAS><QUALITY/><ALIAS_NAME/></INDIVIDUAL_ALIAS></INDIVIDUAL></INDIVIDUALS></CONSOLIDATED_LIST>`
  const sql = 'SELECT (SELECT count(*) FROM name), attributes FROM entry'
  expect(await rowsOf('unsc', xml, sql)).toEqual([
    [1, JSON.stringify({ ALIAS: [{ note: 'as above', date_of_birth: '1950' }] })],
  ])
})
