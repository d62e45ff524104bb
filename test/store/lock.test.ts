import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { datasetFolder, type Store } from '../../src/store/layout.ts'
import { takeLock, withLock } from '../../src/store/lock.ts'
import { type Child, startScript } from './child.ts'
import { scratchStore } from './scratch-store.ts'

const busy = expect.objectContaining({ code: 'BUSY', data: { dataset: 'one' } })

const elsewhere = (store: Store): Child =>
  startScript(new URL('./lock-holder.ts', import.meta.url), [store.root, 'one'])

describe('the lock of a dataset', () => {
  it('is refused to a second taker in the same process, until it is released', () => {
    const store = scratchStore()
    const lock = takeLock(store, 'one')
    expect(() => takeLock(store, 'one')).toThrow(busy)
    lock.release()
    takeLock(store, 'one').release()
  })

  it('is refused to a second taker in another process, until it is released', async () => {
    const store = scratchStore()
    const lock = takeLock(store, 'one')
    expect(await elsewhere(store).line()).toBe('BUSY')
    lock.release()
    expect(await elsewhere(store).line()).toBe('held')
  })

  it('stays held where a second taker in the same process was refused', async () => {
    const store = scratchStore()
    const lock = takeLock(store, 'one')
    expect(() => takeLock(store, 'one')).toThrow(busy)
    expect(await elsewhere(store).line()).toBe('BUSY')
    lock.release()
  })

  it('is free again when the process that held it was killed', async () => {
    const store = scratchStore()
    const holder = elsewhere(store)
    expect(await holder.line()).toBe('held')
    expect(() => takeLock(store, 'one')).toThrow(busy)
    holder.process.kill('SIGKILL')
    expect(await holder.ended()).toBe('SIGKILL')
    takeLock(store, 'one').release()
  })

  it('is one per dataset and store', () => {
    const store = scratchStore()
    const locks = [takeLock(store, 'one'), takeLock(store, 'two'), takeLock(scratchStore(), 'one')]
    for (const lock of locks) lock.release()
  })

  it('leaves no journal beside it, whether it is held, released or its holder was killed', async () => {
    const store = scratchStore()
    const holder = elsewhere(store)
    await holder.line()
    const folder = datasetFolder(store, 'one')
    expect(readdirSync(folder)).toEqual(['lock'])
    holder.process.kill('SIGKILL')
    await holder.ended()
    expect(readdirSync(folder)).toEqual(['lock'])
  })

  it('is released after work, and after work that fails', async () => {
    const store = scratchStore()
    expect(await withLock(store, 'one', () => 'done')).toBe('done')
    await expect(
      withLock(store, 'one', async () => {
        throw new Error('failed')
      }),
    ).rejects.toThrow('failed')
    takeLock(store, 'one').release()
  })

  it('is held while asynchronous work goes on', async () => {
    const store = scratchStore()
    await withLock(store, 'one', async () => {
      await Promise.resolve()
      expect(() => takeLock(store, 'one')).toThrow(busy)
    })
  })

  it('says STORE_UNWRITABLE where it cannot be made', () => {
    expect(() => takeLock({ root: '/sys/stichtag', origin: 'global' }, 'one')).toThrow(
      expect.objectContaining({ code: 'STORE_UNWRITABLE' }),
    )
  })
})
