import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { hasBzip2Program } from '../../src/formats/bzip2-program.ts'
import { openFile } from '../../src/formats/open.ts'
import { hasXzProgram } from '../../src/formats/xz-program.ts'
import { textOf } from './streams.ts'
import { temporaryFiles } from './temporary-folder.ts'

const million = Buffer.alloc(1_000_000, 'x')

/** A hundred million line feeds by bzip2, two million by xz. */
const bzip2 = Buffer.from(
  'QlpoOTFBWSZTWStxu3EBX45AAIAQAAggADCATUZCoCWpCoCXMUFZJlNZK3G7cQFfjkAAgBAACCAAMIBNRkKgJakKgJcxQVkmU1lxIai1AD7RQAKAEABAAAggADDMCapppUiDaipEHi7kinChIRQIZyY=',
  'base64',
)
const xz = Buffer.from(
  '/Td6WFoAAATm1rRGAgAhARwAAAAQz1jM/oR/AWBdAAVv+7/+o7Fe5fg/sqomVfhocEFwFQ+N/R5MG4pCtxn0aRhxrmYjiopNL6MN2X+m44wjEVPgWRjFdYrid/i2lH8MasDedElk4ulcU7IE2PdEDKtfDW1G6eXDdoi3llestk3haR1v+0uIEGxCy4g/XACP0E6vJiiUcR89jyThcJ6nI1/sKMuF0ZWYin4qkfIndfcZwAaYTZj92K/VkA/EJVP49ZE2MQWlsO5vwXBNRwzRkRGqrWAdus6xJxhcWYbpZlJYvul2rFnk5VsFCPnH2q38+1IrdM0eWyBC+d1TPfgpZAk7gMsqbN+1O/DEvS5fqg8+S2ZCkBMO/xCT+HF4WfgLzf+VKEYPqfx83vuaMC5WwI+F84OBwGXEJVP49ZE2MQWlsO5vwXBNRwzRkRGqrWAdus6xJxhcWYbpZlJYvul2rFnk5VsFCPnH2q38+1IrdM0eWyBC+d1TPfgERxhqAAAAMHrZGZSoFl8AAfwCgIl6AJdZqA2xxGf7AgAAAAAEWVo=',
  'base64',
)

const here = {
  bzip2: (await hasBzip2Program()) ? 'program' : 'thread',
  xz: (await hasXzProgram()) ? 'program' : 'library',
}

const bombs = [
  ['gzip', 'a.gz', gzipSync(million)],
  ['zstd', 'a.zst', zstdCompressSync(million)],
  ['brotli', 'a.br', brotliCompressSync(million)],
  [`bzip2 (by ${here.bzip2})`, 'a.bz2', bzip2],
  [`xz (by ${here.xz})`, 'a.xz', xz],
] as const

describe('a file that unpacks to far more than it is', () => {
  const file = temporaryFiles()

  it.each(bombs)('is refused on the way, with the limit named: %s', async (_, name, bytes) => {
    const limits = { maxRatio: 50, ratioFrom: 500_000 }
    let given = 0
    const reading = async (): Promise<void> => {
      for await (const chunk of openFile(await file(name, bytes), { name, limits })) given += chunk.length
    }
    await expect(reading()).rejects.toMatchObject({
      code: 'NOT_WHAT_IT_SAYS',
      message: expect.stringMatching(
        new RegExp(`^${name}: is ${bytes.length} bytes that unpack to \\d+ and more, .*50:1 from 500000 bytes on`),
      ),
    })
    expect(given).toBeLessThanOrEqual(500_000)
  })

  it('is read up to the size from which on that counts', async () => {
    const limits = { maxRatio: 50, ratioFrom: 1_000_000 }
    const path = await file('a.gz', gzipSync(million))
    expect(await textOf(openFile(path, { name: 'a.gz', limits }))).toHaveLength(1_000_000)
  })

  it('is refused without a word about limits, too', async () => {
    const path = await file('a.zst', zstdCompressSync(Buffer.alloc(101_000_000)))
    const reading = async (): Promise<void> => {
      for await (const _ of openFile(path, { name: 'a.zst' }));
    }
    await expect(reading()).rejects.toMatchObject({
      code: 'NOT_WHAT_IT_SAYS',
      message: expect.stringContaining('200:1 from 100000000 bytes on'),
    })
  })
})
