/** A catalogue over a test's stores, closed after the test. */
import { pino } from 'pino'
import { afterEach } from 'vitest'
import { type CatalogueOptions, openCatalogue } from '../../src/catalogue/source.ts'
import type { CatalogueSource } from '../../src/catalogue/types.ts'
import type { Store } from '../../src/store/layout.ts'
import { createInProcessPool } from './in-process-pool.ts'
import { type Company, Register } from './register.ts'

const cleanups: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** A register with these versions published, removed after the test. */
export const registerWith = (...versions: readonly (readonly Company[])[]): Register => {
  const register = new Register()
  cleanups.push(() => register.remove())
  for (const companies of versions) register.publish(companies)
  return register
}

export const afterTest = (cleanup: () => Promise<void> | void): void => {
  cleanups.push(cleanup)
}

/** Opens a catalogue over a register; it does not watch unless told. */
export const open = async (register: Register, over: Partial<CatalogueOptions> = {}): Promise<CatalogueSource> => {
  const source = await openCatalogue({
    stores: [register.store],
    schemaFolders: [register.schemas],
    pool: createInProcessPool(),
    watch: false,
    log: pino({ level: 'silent' }),
    ...over,
  })
  cleanups.push(() => source.close())
  return source
}

/** Opens a catalogue over a store, without any schema; it does not watch unless told. */
export const openStore = async (store: Store, over: Partial<CatalogueOptions> = {}): Promise<CatalogueSource> => {
  const options = { stores: [store], schemaFolders: [], pool: createInProcessPool(), watch: false }
  const source = await openCatalogue({ ...options, log: pino({ level: 'silent' }), ...over })
  cleanups.push(() => source.close())
  return source
}

/** The JSON of a reading's first content. */
export const bodyOf = async (source: CatalogueSource, uri: string): Promise<Record<string, unknown>> => {
  const [first] = (await source.current.read(uri)).contents
  if (first === undefined || !('text' in first)) throw new Error(`${uri} gave no text`)
  return JSON.parse(first.text)
}

/** What a tool answers, where it answers. */
export const answerOf = async (
  source: CatalogueSource,
  tool: string,
  args: Readonly<Record<string, unknown>> = {},
): Promise<Record<string, unknown>> => {
  const answer = await source.current.call(tool, args)
  if (!answer.ok) throw new Error(`${tool}: ${answer.code} ${answer.message}`)
  return JSON.parse(JSON.stringify(answer.structured))
}
