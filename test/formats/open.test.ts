import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { openFile } from '../../src/formats/open.ts'
import { textOf } from './streams.ts'
import { temporaryFiles } from './temporary-folder.ts'

const text = `${'id,name\n1,Grün\n'.repeat(100)}end`
const half = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length >> 1)

describe('opening a file', () => {
  const file = temporaryFiles()

  it.each([
    ['plain', 'a.csv', Buffer.from(text)],
    ['gzip', 'a.gz', gzipSync(text)],
    ['gzip under a plain name', 'a.csv', gzipSync(text)],
    ['plain under a compressed name', 'a.csv.gz', Buffer.from(text)],
    ['zstd', 'a.zst', zstdCompressSync(text)],
    ['brotli', 'a.csv.br', brotliCompressSync(text)],
    ['a gzip file of two members', 'two.gz', Buffer.concat([gzipSync(text.slice(0, 13)), gzipSync(text.slice(13))])],
    [
      'a zstd file of two frames and one to skip',
      'two.zst',
      Buffer.concat([
        zstdCompressSync(text.slice(0, 13)),
        Buffer.from([0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 7, 7]),
        zstdCompressSync(text.slice(13)),
      ]),
    ],
  ])('gives the same bytes from %s', async (_kind, name, bytes) => {
    expect(await textOf(openFile(await file(name, bytes), { name }))).toBe(text)
  })

  it.each([
    ['gzip', 'cut.gz', half(gzipSync(text))],
    ['gzip', 'cut-trailer.gz', gzipSync(text).subarray(0, -1)],
    ['gzip', 'cut-member.gz', Buffer.concat([gzipSync(text), half(gzipSync(text))])],
    ['zstd', 'cut.zst', half(zstdCompressSync(text))],
    ['zstd', 'cut-frame.zst', Buffer.concat([zstdCompressSync(text), half(zstdCompressSync(text))])],
    ['brotli', 'cut.br', half(brotliCompressSync(text))],
  ])('refuses a cut %s file: %s', async (kind, name, bytes) => {
    await expect(textOf(openFile(await file(name, bytes), { name }))).rejects.toMatchObject({
      code: 'DATA_CORRUPT',
      message: `${name}: unexpected end of ${kind} data`,
    })
  })

  it.each([
    ['gzip', 'bad.gz', gzipSync(text), -5],
    ['zstd', 'bad.zst', zstdCompressSync(text, { params: { [constants.ZSTD_c_checksumFlag]: 1 } }), -1],
  ])('refuses a %s file whose checksum does not fit', async (kind, name, whole, at) => {
    const bytes = Buffer.from(whole)
    bytes.writeUInt8((bytes.at(at) ?? 0) ^ 0xff, bytes.length + at)
    await expect(textOf(openFile(await file(name, bytes), { name }))).rejects.toMatchObject({
      code: 'DATA_CORRUPT',
      message: expect.stringContaining(`${name}: damaged ${kind} data`),
    })
  })

  it.each([
    ['gzip', 'zeros.gz', Buffer.concat([gzipSync(text), Buffer.alloc(600_000)])],
    ['zstd', 'garbage.zst', Buffer.concat([zstdCompressSync(text), Buffer.from('garbage')])],
    ['brotli', 'garbage.br', Buffer.concat([brotliCompressSync(text), Buffer.alloc(600_000, 1)])],
  ])('warns of bytes after the end of %s data', async (kind, name, bytes) => {
    const warnings: string[] = []
    const onWarning = (warning: string): void => void warnings.push(warning)
    expect(await textOf(openFile(await file(name, bytes), { name, onWarning }))).toBe(text)
    expect(warnings).toEqual([`bytes after the end of the ${kind} data were ignored`])
  })

  it.each([
    ['an empty file', '', 'empty file'],
    ['compressed nothing', gzipSync(''), 'nothing in it'],
    ['an HTML page', '<!DOCTYPE html><html></html>', 'HTML received instead of data'],
    ['a compressed HTML page', gzipSync(`<html>${'x'.repeat(5000)}`), 'HTML received instead of data'],
    ['a zip archive', 'PK\x03\x04', 'is a zip archive, which is not read as records'],
  ])('refuses %s', async (_kind, content, what) => {
    const path = await file('refused.csv', content)
    await expect(textOf(openFile(path, { name: 'refused.csv' }))).rejects.toMatchObject({
      code: 'NOT_WHAT_IT_SAYS',
      message: `refused.csv: ${what}`,
    })
  })

  it('says which file is not there', async () => {
    const path = `${await file('a.csv', 'a')}.gone`
    await expect(textOf(openFile(path, { name: 'gone.csv' }))).rejects.toMatchObject({
      code: 'FILE_NOT_FOUND',
      message: expect.stringContaining('gone.csv'),
    })
  })

  it.each([
    ['plain', 'long.csv', Buffer.alloc(2_000_000, 'a\n')],
    ['gzip', 'long.gz', gzipSync(Buffer.alloc(2_000_000, 'a\n'))],
  ])('stops a %s file when cancelled', async (_kind, name, bytes) => {
    const controller = new AbortController()
    const opened = openFile(await file(name, bytes), { name, signal: controller.signal })
    await opened.next()
    controller.abort()
    await expect(textOf(opened)).rejects.toMatchObject({ code: 'CANCELLED' })
  })
})
