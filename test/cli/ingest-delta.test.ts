/** What `ingest --dry-run` says of a delivery that holds only what changed. */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CommandLine, commandLine } from './stichtag.ts'

const relationship = (start: string): string =>
  `<r><RelationshipRecord><Relationship>
    <StartNode><NodeID>${start}</NodeID></StartNode><EndNode><NodeID>ZZZZ00MUSTERHOLD0084</NodeID></EndNode>
    <RelationshipType>IS_SUBFUND_OF</RelationshipType>
  </Relationship></RelationshipRecord></r>`

let here: CommandLine
beforeAll(() => {
  here = commandLine()
  writeFileSync(join(here.folder, 'whole.xml'), relationship('ZZZZ00FIKTIVAM000067'))
  writeFileSync(join(here.folder, 'updates.xml'), relationship('ZZZZ00PRAEZISION0030'))
})
afterAll(() => here.remove())

const planned = (...more: readonly string[]): string =>
  here.run(['ingest', 'gleif', '--from', 'updates.xml', '--dry-run', ...more]).stdout

it('is that it would be all there is, where there is nothing to lay it over', () => {
  expect(planned()).toContain('updates.xml: a delta, by its name; there is nothing to lay it over')
})

it('is that it would be laid over current, which then happens', () => {
  here.run(['ingest', 'gleif', '--from', 'whole.xml'])
  const [version] = readdirSync(join(here.folder, 'home', 'data', 'snapshots', 'gleif')).filter((name) =>
    /^\d/.test(name),
  )
  expect(planned()).toContain(`updates.xml: a delta, by its name; it would be laid over ${version}`)
  expect(JSON.parse(planned('--json'))).toMatchObject([{ delta: { files: ['updates.xml'], over: version } }])
  expect(JSON.parse(here.run(['ingest', 'gleif', '--from', 'updates.xml', '--json']).stdout)).toMatchObject([
    { outcome: 'published', rows: { relationship: 2 } },
  ])
})
