import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerOf, openStore } from '../catalogue/opened.ts'
import { type DatasetStage, openDatasetStage, sampleFolderOf } from './dataset-stage.ts'

let stage: DatasetStage
beforeAll(async () => {
  stage = await openDatasetStage('offeneregister')
  await stage.ingest(sampleFolderOf('offeneregister', '2026-11-01'))
})
afterAll(() => stage.close())

describe('a company that has another name by now', () => {
  it.each([
    ['Pfuhlimat', 'offeneregister://company/U1104_HRB910001'],
    ['Aemterprobe Uebersee', expect.stringMatching(/^offeneregister:\/\/company\//)],
  ])('is found by its former name %s', async (words, company) => {
    const source = await openStore({ root: stage.root, origin: 'global' })
    const { results } = await answerOf(source, 'search', { query: words, datasets: ['offeneregister'] })
    expect(results).toContainEqual(expect.objectContaining({ table: 'previous_name', belongsTo: company }))
  })
})
