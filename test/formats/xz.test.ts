import { describe, expect, it, vi } from 'vitest'
import { openFile } from '../../src/formats/open.ts'
import { unxzFile, type XzDecoder } from '../../src/formats/xz.ts'
import { hasXzProgram } from '../../src/formats/xz-program.ts'
import { textOf } from './streams.ts'
import { temporaryFiles } from './temporary-folder.ts'

/** `one\ntwo\n` and `three\n`, each as a stream, and two million line feeds. */
const oneTwo = Buffer.from(
  '/Td6WFoAAATm1rRGAgAhARYAAAB0L+WjAQAHb25lCnR3bwoAUauer1d1cEkAASAIuxnZux+2830BAAAAAARZWg==',
  'base64',
)
const three = Buffer.from(
  '/Td6WFoAAATm1rRGAgAhARYAAAB0L+WjAQAFdGhyZWUKAAAALOfhsoKxk2UAAR4GwS+kHR+2830BAAAAAARZWg==',
  'base64',
)
const lineFeeds = Buffer.from(
  '/Td6WFoAAATm1rRGAgAhARwAAAAQz1jM/oR/AWBdAAVv+7/+o7Fe5fg/sqomVfhocEFwFQ+N/R5MG4pCtxn0aRhxrmYjiopNL6MN2X+m44wjEVPgWRjFdYrid/i2lH8MasDedElk4ulcU7IE2PdEDKtfDW1G6eXDdoi3llestk3haR1v+0uIEGxCy4g/XACP0E6vJiiUcR89jyThcJ6nI1/sKMuF0ZWYin4qkfIndfcZwAaYTZj92K/VkA/EJVP49ZE2MQWlsO5vwXBNRwzRkRGqrWAdus6xJxhcWYbpZlJYvul2rFnk5VsFCPnH2q38+1IrdM0eWyBC+d1TPfgpZAk7gMsqbN+1O/DEvS5fqg8+S2ZCkBMO/xCT+HF4WfgLzf+VKEYPqfx83vuaMC5WwI+F84OBwGXEJVP49ZE2MQWlsO5vwXBNRwzRkRGqrWAdus6xJxhcWYbpZlJYvul2rFnk5VsFCPnH2q38+1IrdM0eWyBC+d1TPfgERxhqAAAAMHrZGZSoFl8AAfwCgIl6AJdZqA2xxGf7AgAAAAAEWVo=',
  'base64',
)
const vast = Buffer.concat(Array.from({ length: 50 }, () => lineFeeds))

const waysHere: readonly XzDecoder[] = (await hasXzProgram()) ? ['program', 'library'] : ['library']

const running = (): number => process.getActiveResourcesInfo().filter((resource) => resource === 'ProcessWrap').length

describe.each(waysHere)('xz by %s', (xz) => {
  const file = temporaryFiles()

  it.each([
    ['of a stream', oneTwo, 'one\ntwo\n'],
    ['of all streams, one after the other', Buffer.concat([oneTwo, three, oneTwo]), 'one\ntwo\nthree\none\ntwo\n'],
    ['of a stream that is padded', Buffer.concat([oneTwo, Buffer.alloc(8)]), 'one\ntwo\n'],
  ])('gives the bytes %s', async (_which, bytes, text) => {
    const path = await file('a.xz', bytes)
    expect(await textOf(unxzFile(path, { name: 'a.xz', xz }))).toBe(text)
  })

  it.each([
    ['inside a stream', oneTwo.subarray(0, 30)],
    ['in its end', oneTwo.subarray(0, -1)],
    ['inside the second stream', Buffer.concat([oneTwo, three.subarray(0, 30)])],
    ['in the head of the second stream', Buffer.concat([oneTwo, three.subarray(0, 8)])],
  ])('refuses a file that is cut %s', async (_where, bytes) => {
    const path = await file('cut.xz', bytes)
    await expect(textOf(unxzFile(path, { name: 'cut.xz', xz }))).rejects.toMatchObject({
      code: 'DATA_CORRUPT',
      message: 'cut.xz: unexpected end of xz stream',
    })
  })

  it.each([
    ['in its first block', 0, oneTwo],
    ['in its second stream', oneTwo.length, Buffer.concat([oneTwo, three])],
  ])('refuses a file whose checksum does not fit %s', async (_where, start, whole) => {
    const bytes = Buffer.from(whole)
    bytes.writeUInt8(bytes.readUInt8(start + 28) ^ 0xff, start + 28)
    const path = await file('bad.xz', bytes)
    await expect(textOf(unxzFile(path, { name: 'bad.xz', xz }))).rejects.toMatchObject({
      code: 'DATA_CORRUPT',
      message: 'bad.xz: damaged xz data',
    })
  })

  it('refuses bytes after the end that are no stream', async () => {
    const path = await file('trailing.xz', Buffer.concat([oneTwo, Buffer.from('something else')]))
    await expect(textOf(unxzFile(path, { name: 'trailing.xz', xz }))).rejects.toMatchObject({ code: 'DATA_CORRUPT' })
  })

  it('holds little of a file that unpacks to a hundred megabytes', async () => {
    const path = await file('vast.xz', vast)
    let bytes = 0
    let most = 0
    for await (const chunk of unxzFile(path, { name: 'vast.xz', xz })) {
      bytes += chunk.length
      most = Math.max(most, process.memoryUsage().arrayBuffers)
    }
    expect(bytes).toBe(100_000_000)
    expect(most).toBeLessThan(64_000_000)
  })

  it('ends what produces the bytes when the consumer stops early, so that another can read', async () => {
    const path = await file('early.xz', vast)
    const before = running()
    for await (const chunk of unxzFile(path, { name: 'early.xz', xz })) {
      expect(chunk.length).toBeGreaterThan(0)
      break
    }
    await vi.waitFor(() => expect(running()).toBe(before))
    expect(await textOf(unxzFile(await file('a.xz', oneTwo), { name: 'a.xz', xz }))).toBe('one\ntwo\n')
  })

  it('ends what produces the bytes when cancelled', async () => {
    const path = await file('cancelled.xz', vast)
    const before = running()
    const controller = new AbortController()
    const opened = openFile(path, { name: 'cancelled.xz', xz, signal: controller.signal })
    await opened.next()
    controller.abort()
    await expect(textOf(opened)).rejects.toMatchObject({ code: 'CANCELLED' })
    await vi.waitFor(() => expect(running()).toBe(before))
  })
})
