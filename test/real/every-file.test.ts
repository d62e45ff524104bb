/** That no real file is left aside: each that ORACLE.json knows is named by a test, or a test goes through its folder. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { packageRoot } from '../../src/package-root.ts'
import { hasSharedData, sharedFile } from './shared-data.ts'

const tests = ['real', 'hostile', 'formats', 'project'].flatMap((room) =>
  readdirSync(join(packageRoot, 'test', room))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(packageRoot, 'test', room, name), 'utf8')),
)
const isNamed = (name: string): boolean => tests.some((text) => text.includes(name))

/** Files that are no input, and what goes through whole folders. */
const isSeenTo = (path: string): boolean => {
  if (path === 'ofac/recent-2024-06/dataspec.txt') return true
  // gtfs-oracle.test.ts lists the folder, and reads every file of each folder in it.
  if (/^gtfs-quirks\/transitfeed\/\w+\//.test(path))
    return isNamed("readdirSync(sharedFile('gtfs-quirks', 'transitfeed')")
  return isNamed(basename(path))
}

describe.skipIf(!hasSharedData)('the real files', () => {
  it('are all read by a test', () => {
    const oracle = z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(sharedFile('ORACLE.json'), 'utf8')))
    expect(Object.keys(oracle).length).toBeGreaterThan(100)
    expect(Object.keys(oracle).filter((path) => !isSeenTo(path))).toEqual([])
  })
})
