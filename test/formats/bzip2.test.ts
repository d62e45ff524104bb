import { pbkdf2 } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { type Bzip2Decoder, bunzipFile } from '../../src/formats/bzip2.ts'
import { hasBzip2Program } from '../../src/formats/bzip2-program.ts'
import { openFile } from '../../src/formats/open.ts'
import { textOf } from './streams.ts'
import { temporaryFiles } from './temporary-folder.ts'

/** `one\ntwo\n` and `three\n`, each as a stream, and a stream of a hundred million line feeds. */
const oneTwo = Buffer.from('QlpoOTFBWSZTWacUK3cAAALBgAAQAgGEgCAAIYAMAjj1G4u5IpwoSFOKFbuA', 'base64')
const three = Buffer.from('QlpoOTFBWSZTWQHHM2oAAALBgAAQAkAUACAAIYNBmgiwHF3JFOFCQAcczag=', 'base64')
const vast = Buffer.from(
  'QlpoOTFBWSZTWStxu3EBX45AAIAQAAggADCATUZCoCWpCoCXMUFZJlNZK3G7cQFfjkAAgBAACCAAMIBNRkKgJakKgJcxQVkmU1lxIai1AD7RQAKAEABAAAggADDMCapppUiDaipEHi7kinChIRQIZyY=',
  'base64',
)

const waysHere: readonly Bzip2Decoder[] = (await hasBzip2Program()) ? ['program', 'thread'] : ['thread']

const running = (): number =>
  process.getActiveResourcesInfo().filter((resource) => ['ProcessWrap', 'MessagePort'].includes(resource)).length

describe.each(waysHere)('bzip2 by %s', (bzip2) => {
  const file = temporaryFiles()

  it('gives the bytes of a stream', async () => {
    const path = await file('a.bz2', oneTwo)
    expect(await textOf(bunzipFile(path, { name: 'a.bz2', bzip2 }))).toBe('one\ntwo\n')
  })

  it('gives the bytes of all streams, one after the other', async () => {
    const path = await file('two.bz2', Buffer.concat([oneTwo, three, oneTwo]))
    expect(await textOf(bunzipFile(path, { name: 'two.bz2', bzip2 }))).toBe('one\ntwo\nthree\none\ntwo\n')
  })

  it.each([
    ['inside a stream', oneTwo.subarray(0, 30)],
    ['in the last checksum', oneTwo.subarray(0, -1)],
    ['inside the second stream', Buffer.concat([oneTwo, three.subarray(0, 20)])],
    ['in the head of the second stream', Buffer.concat([oneTwo, three.subarray(0, 3)])],
  ])('refuses a file that is cut %s', async (_where, bytes) => {
    const path = await file('cut.bz2', bytes)
    await expect(textOf(bunzipFile(path, { name: 'cut.bz2', bzip2 }))).rejects.toMatchObject({
      code: 'DATA_CORRUPT',
      message: 'cut.bz2: unexpected end of bzip2 stream',
    })
  })

  it.each([
    ['in its first block', 0, oneTwo],
    ['in its second stream', oneTwo.length, Buffer.concat([oneTwo, three])],
  ])('refuses a file whose checksum does not fit %s', async (_where, start, whole) => {
    const bytes = Buffer.from(whole)
    bytes.writeUInt8(bytes.readUInt8(start + 12) ^ 0xff, start + 12)
    const path = await file('bad.bz2', bytes)
    await expect(textOf(bunzipFile(path, { name: 'bad.bz2', bzip2 }))).rejects.toMatchObject({
      code: 'DATA_CORRUPT',
      message: 'bad.bz2: damaged bzip2 data',
    })
  })

  it.each([['garbage'], ['x'], ['\0\0\0\0\0']])('warns of trailing bytes (%j)', async (garbage) => {
    const warnings: string[] = []
    const path = await file('trailing.bz2', Buffer.concat([oneTwo, three, Buffer.from(garbage)]))
    const onWarning = (warning: string): void => void warnings.push(warning)
    expect(await textOf(bunzipFile(path, { name: 'trailing.bz2', bzip2, onWarning }))).toBe('one\ntwo\nthree\n')
    expect(warnings).toEqual(['bytes after the end of the bzip2 data were ignored'])
  })

  it('holds little of a file that unpacks to a hundred megabytes', async () => {
    const path = await file('vast.bz2', vast)
    let bytes = 0
    let most = 0
    for await (const chunk of bunzipFile(path, { name: 'vast.bz2', bzip2 })) {
      bytes += chunk.length
      most = Math.max(most, process.memoryUsage().arrayBuffers)
    }
    expect(bytes).toBe(100_000_000)
    expect(most).toBeLessThan(64_000_000)
  })

  it('ends what produces the bytes when the consumer stops early', async () => {
    const path = await file('early.bz2', vast)
    const before = running()
    for await (const chunk of bunzipFile(path, { name: 'early.bz2', bzip2 })) {
      expect(chunk.length).toBeGreaterThan(0)
      expect(running()).toBeGreaterThan(before)
      break
    }
    await vi.waitFor(() => expect(running()).toBe(before))
  })

  it('ends what produces the bytes when cancelled', async () => {
    const path = await file('cancelled.bz2', vast)
    const before = running()
    const controller = new AbortController()
    const opened = openFile(path, { name: 'cancelled.bz2', bzip2, signal: controller.signal })
    await opened.next()
    controller.abort()
    await expect(textOf(opened)).rejects.toMatchObject({ code: 'CANCELLED' })
    await vi.waitFor(() => expect(running()).toBe(before))
  })
})

describe.runIf(waysHere.includes('program'))('the bzip2 program', () => {
  const file = temporaryFiles()

  it('loses nothing where it has ended before anybody came to read', async () => {
    const path = await file('quick.bz2', Buffer.concat([oneTwo, Buffer.from('garbage')]))
    const { signal } = new AbortController()
    // Called right after the process has started: work with files has to wait, and meanwhile the process is done.
    vi.spyOn(signal, 'addEventListener').mockImplementation(() => {
      for (let thread = 0; thread < 8; thread++) pbkdf2('', '', 200_000, 64, 'sha512', () => undefined)
    })
    const warnings: string[] = []
    const onWarning = (warning: string): void => void warnings.push(warning)
    expect(await textOf(bunzipFile(path, { name: 'quick.bz2', bzip2: 'program', signal, onWarning }))).toBe(
      'one\ntwo\n',
    )
    expect(warnings).toHaveLength(1)
    expect(signal.addEventListener).toHaveBeenCalled()
  })
})
