/** Datasets that go away and come, as those who subscribed to what is in them hear of it. */
import { renameSync, rmSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { openCatalogue } from '../../src/catalogue/source.ts'
import { type Subscriber, SubscriptionBook } from '../../src/catalogue/subscription-book.ts'
import { dataFolder, datasetFolder } from '../../src/store/layout.ts'
import { createInProcessPool } from './in-process-pool.ts'
import { Register } from './register.ts'

class Host implements Subscriber {
  readonly told: string[] = []
  isOpen = () => true
  tell = (uri: string) => void this.told.push(uri)
}

const closing: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const open = async () => {
  const register = new Register()
  closing.push(() => register.remove())
  const pool = createInProcessPool()
  const source = await openCatalogue({ stores: [register.store], schemaFolders: [], pool })
  closing.push(() => source.close())
  const failures: unknown[] = []
  const book = new SubscriptionBook(source, (_dataset, error) => failures.push(error))
  closing.push(() => book.close())
  return { register, source, book, failures, pointer: join(dataFolder(register.store), 'openregister.db') }
}

const company = 'offeneregister://company/A1'
const absent = 'offeneregister://company/none'
const dataset = 'offeneregister://dataset'
const soon = { timeout: 8000 }

describe('a dataset that is removed', () => {
  it('reads as not there while its pointer is away, and as before when it comes back', async () => {
    const { register, source, book, failures, pointer } = await open()
    register.publish([{ number: 'A1', name: 'One' }])
    await expect.poll(() => source.current.versions.size, soon).toBe(1)
    const host = new Host()
    await book.subscribe(host, [company, absent, dataset])

    renameSync(pointer, `${pointer}.away`)
    await expect.poll(() => host.told.toSorted(), soon).toEqual([company, dataset])
    renameSync(`${pointer}.away`, pointer)
    await expect.poll(() => host.told.length, soon).toBe(4)
    expect(host.told).not.toContain(absent)
    expect(failures).toEqual([])
  })

  it('is told of as gone where all of it was deleted, and its subscriptions hold when it is built anew', async () => {
    const { register, source, book, failures, pointer } = await open()
    register.publish([{ number: 'A1', name: 'One' }])
    await expect.poll(() => source.current.versions.size, soon).toBe(1)
    const host = new Host()
    await book.subscribe(host, [company])

    unlinkSync(pointer)
    rmSync(datasetFolder(register.store, 'offeneregister'), { recursive: true })
    await expect.poll(() => host.told, soon).toEqual([company])
    expect(source.current.datasetOf(company)).toBeUndefined()

    const anew = new Register('offeneregister', register.store.root)
    anew.publish([{ number: 'A1', name: 'Other' }])
    await expect.poll(() => host.told, soon).toEqual([company, company])
    anew.publish([{ number: 'A1', name: 'Another' }])
    await expect.poll(() => host.told, soon).toEqual([company, company, company])
    expect(failures).toEqual([])
  })

  it('takes nothing from the subscriptions of another dataset, nor does one that is added', async () => {
    const { register, source, book, pointer } = await open()
    const other = new Register('others', register.store.root)
    register.publish([{ number: 'A1', name: 'One' }])
    await expect.poll(() => source.current.versions.size, soon).toBe(1)
    const [first, second] = [new Host(), new Host()]
    await book.subscribe(first, [company])
    other.publish([{ number: 'A1', name: 'One' }])
    await expect.poll(() => source.current.versions.size, soon).toBe(2)
    await book.subscribe(second, ['others://company/A1'])

    unlinkSync(pointer)
    await expect.poll(() => first.told, soon).toEqual([company])
    other.publish([{ number: 'A1', name: 'Two' }])
    await expect.poll(() => second.told, soon).toEqual(['others://company/A1'])
    expect(first.told).toEqual([company])
  })
})
