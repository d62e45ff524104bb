/** What a person at a terminal is told of a failure: once, in words; and what a daemon's log has of it: JSON. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CommandLine, commandLine } from './stichtag.ts'

describe('a run that fails', () => {
  let here: CommandLine
  beforeAll(() => {
    here = commandLine()
    mkdirSync(join(here.folder, 'pipelines', 'costs'), { recursive: true })
    writeFileSync(join(here.folder, 'costs.csv'), 'id,amount\n1,"1,5"\n')
    writeFileSync(
      join(here.folder, 'pipelines', 'costs', 'index.mjs'),
      `export default (kit) => kit.definePipeline({
        id: 'costs', title: 'T', description: 'D', publisher: 'P', homepage: 'https://costs.example/',
        licence: { name: 'CC0', url: 'https://costs.example/licence', attribution: 'P' },
        database: 'costs.db', schedule: { cron: '0 5 * * *', timeZone: 'UTC' },
        sources: [{ name: 'costs.csv', url: 'https://costs.example/costs.csv', format: { type: 'csv' } }],
        tables: { cost: { description: 'C', columns: { id: 'TEXT', amount: 'REAL' }, key: ['id'] } },
        map: (record, { emit }) => emit('cost', record),
      })`,
    )
  })
  afterAll(() => here.remove())

  const failing = (settings: NodeJS.ProcessEnv) => here.run(['ingest', 'costs', '--from', 'costs.csv'], settings)

  it('is told once, and no line is JSON', () => {
    const { stdout, stderr } = failing({ STICHTAG_LOG: 'info' })
    expect(`${stdout}${stderr}`.match(/column amount is REAL/g)).toHaveLength(1)
    expect(stderr).not.toContain('{"level"')
    expect(stderr).toContain('costs: check costs.csv')
  })

  it('for text in Latin-1 says which encoding may be meant', () => {
    writeFileSync(join(here.folder, 'latin.csv'), Buffer.from('id,amount\nM\xfcller,1\n', 'latin1'))
    const { stdout } = here.run(['ingest', 'costs', '--from', 'latin.csv'])
    expect(stdout).toContain(
      "line 2: not valid UTF-8: where the publisher writes Latin-1, as many do, say encoding: 'windows-1252'",
    )
  })

  it('is in the log as JSON where that is asked for', () => {
    const { stderr } = failing({ STICHTAG_LOG: 'error', STICHTAG_LOG_FORMAT: 'json' })
    expect(JSON.parse(stderr)).toMatchObject({ level: 50, code: 'RECORD_INVALID', dataset: 'costs' })
  })
})
