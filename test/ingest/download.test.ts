import { createHash } from 'node:crypto'
import { mkdtemp, open, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { StichtagError } from '../../src/errors.ts'
import { type DownloadOptions, type DownloadRequest, type DownloadResult, download } from '../../src/ingest/download.ts'
import type { Waiting } from '../../src/ingest/download-retry.ts'
import {
  type Behaviour,
  cutAfter,
  fileServer,
  ok,
  type ScriptedServer,
  serve,
  stallAfter,
  status,
} from './download-server.ts'

const body = `id,name\n${'1,Grün\n'.repeat(50)}`
const sha256 = createHash('sha256').update(body).digest('hex')
const bytes = Buffer.byteLength(body)
const modified = 'Tue, 05 Feb 2019 09:00:00 GMT'

let folder = ''
let slept: number[] = []

/** Never sleeps: the clock jumps instead. */
const waiting = (): Waiting => {
  let clock = 0
  return {
    now: () => clock,
    random: () => 1,
    sleep: async (ms) => {
      slept.push(ms)
      clock += ms
    },
  }
}

const started = async (...script: readonly Behaviour[]): Promise<ScriptedServer> => {
  const server = await serve(...script)
  onTestFinished(() => server[Symbol.asyncDispose]())
  return server
}

const fetchFrom = (
  url: string,
  request: Partial<DownloadRequest> = {},
  options: Partial<DownloadOptions> = {},
): Promise<DownloadResult> =>
  download(
    { url, folder, name: 'register.csv', ...request },
    { signal: new AbortController().signal, waiting: waiting(), ...options },
  )

/** As `fetchFrom`; the connection is cut each time when 100 bytes have arrived. */
const fetchCut = (server: ScriptedServer, request: Partial<DownloadRequest> = {}): Promise<DownloadResult> =>
  fetchFrom(server.url, request, { onProgress: (progress) => progress.bytes === 100 && server.cut() })

const kept = async (): Promise<string> => readFile(join(folder, 'register.csv'), 'utf8')

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stichtag-download-'))
  slept = []
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

describe('a download', () => {
  it('gives the file with its size, hash and validators, and leaves nothing else', async () => {
    const server = await started(ok(body, { etag: '"a1"', 'last-modified': modified }))
    expect(await fetchFrom(server.url)).toEqual({
      kind: 'file',
      path: join(folder, 'register.csv'),
      bytes,
      sha256,
      etag: '"a1"',
      lastModified: modified,
      retrievedAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/),
      url: server.url,
      resumed: false,
    })
    expect(await kept()).toBe(body)
    expect(await readdir(folder)).toEqual(['register.csv'])
  })

  it('makes the folder where it is missing', async () => {
    const server = await started(ok(body))
    const deep = join(folder, 'downloads', 'offeneregister')
    await fetchFrom(server.url, { folder: deep })
    expect(await readdir(deep)).toEqual(['register.csv'])
  })

  it('says who asks, and asks for the bytes as they are', async () => {
    const server = await started(ok(body))
    await fetchFrom(server.url)
    expect(server.requests[0]?.headers).toMatchObject({
      'user-agent': expect.stringMatching(/^stichtag\/\d+\.\d+\.\d+ \(\+https:\/\/[^)]+\)$/),
      'accept-encoding': 'identity',
    })
  })

  it('takes a body without a length', async () => {
    const server = await started((_request, response) => {
      response.write(body.slice(0, 20))
      response.end(body.slice(20))
    })
    expect(await fetchFrom(server.url)).toMatchObject({ sha256 })
  })

  it('tells how far it is', async () => {
    const server = await started(ok(body))
    const seen: unknown[] = []
    await fetchFrom(server.url, {}, { onProgress: (progress) => seen.push(progress) })
    expect(seen.at(-1)).toEqual({ bytes, total: bytes })
  })

  it('follows redirects and keeps the URL that was asked for', async () => {
    const target = await started(ok(body))
    const server = await started(status(302, { location: target.url }))
    expect(await fetchFrom(server.url)).toMatchObject({ sha256, url: server.url })
  })

  it('does not follow redirects for ever', async () => {
    const server = await started((request, response) => {
      response.writeHead(302, { location: `${request.url}x` }).end()
    })
    await expect(fetchFrom(server.url)).rejects.toMatchObject({ code: 'SOURCE_FAILED', data: { status: 302 } })
  })
})

describe('a conditional download', () => {
  it('sends the ETag, and is not modified on 304', async () => {
    const server = await started(fileServer(body, { etag: '"a1"' }))
    const result = await fetchFrom(server.url, { validators: { etag: '"a1"', lastModified: modified } })
    expect(result).toEqual({ kind: 'not-modified' })
    expect(server.requests[0]?.headers['if-none-match']).toBe('"a1"')
    expect(server.requests[0]?.headers).not.toHaveProperty('if-modified-since')
  })

  it('sends the date where there is no ETag', async () => {
    const server = await started(status(304))
    expect(await fetchFrom(server.url, { validators: { lastModified: modified } })).toEqual({ kind: 'not-modified' })
    expect(server.requests[0]?.headers['if-modified-since']).toBe(modified)
  })

  it('is not modified where the server ignores conditions and names the same ETag', async () => {
    const server = await started(ok(body, { etag: '"a1"' }))
    expect(await fetchFrom(server.url, { validators: { etag: '"a1"' } })).toEqual({ kind: 'not-modified' })
  })

  it('gives the file where it changed', async () => {
    const server = await started(fileServer(body, { etag: '"a2"' }))
    expect(await fetchFrom(server.url, { validators: { etag: '"a1"' } })).toMatchObject({ sha256, etag: '"a2"' })
  })

  it('is a failure where 304 answers a request without conditions', async () => {
    const server = await started(status(304))
    await expect(fetchFrom(server.url)).rejects.toMatchObject({ code: 'SOURCE_FAILED' })
  })
})

describe('a download that breaks off', () => {
  const whole = fileServer(body, { etag: '"a1"' })

  it('is continued where it broke off', async () => {
    const server = await started(stallAfter(100, body, { etag: '"a1"' }), whole)
    expect(await fetchCut(server)).toMatchObject({ sha256, bytes, resumed: true })
    expect(server.requests[1]?.headers).toMatchObject({ range: 'bytes=100-', 'if-range': '"a1"' })
    expect(await kept()).toBe(body)
  })

  it('is continued by a later run', async () => {
    const server = await started(stallAfter(100, body, { etag: '"a1"' }), whole)
    await expect(fetchCut(server, { limits: { attempts: 1 } })).rejects.toMatchObject({
      code: 'SOURCE_FAILED',
      message: expect.stringContaining('broke off after 100 bytes'),
    })
    expect((await readdir(folder)).sort()).toEqual(['register.csv.part', 'register.csv.part.json'])
    expect(await fetchCut(server)).toMatchObject({ sha256, resumed: true })
    expect(await readdir(folder)).toEqual(['register.csv'])
  })

  it('keeps what arrived right before the break', async () => {
    const server = await started(cutAfter(100, body, { etag: '"a1"' }), whole)
    expect(await fetchFrom(server.url)).toMatchObject({ sha256, resumed: true })
    expect(server.requests[1]?.headers.range).toBe('bytes=100-')
  })

  it('is continued by its date where the ETag is a weak one', async () => {
    const headers = { etag: 'W/"a1"', 'last-modified': modified }
    const server = await started(stallAfter(100, body, headers), fileServer(body, headers))
    expect(await fetchCut(server)).toMatchObject({ sha256, resumed: true })
    expect(server.requests[1]?.headers['if-range']).toBe(modified)
  })

  it('starts anew where the file changed meanwhile', async () => {
    const server = await started(stallAfter(100, `x${body}`, { etag: '"a0"' }), whole)
    expect(await fetchCut(server)).toMatchObject({ sha256, etag: '"a1"', resumed: false })
    expect(await kept()).toBe(body)
  })

  it('starts anew where nothing says that the rest is of the same file', async () => {
    const server = await started(stallAfter(100, body), ok(body))
    expect(await fetchCut(server)).toMatchObject({ sha256, resumed: false })
    expect(server.requests[1]?.headers).not.toHaveProperty('range')
  })

  it('starts anew where an earlier run left the part of another URL', async () => {
    const server = await started(stallAfter(100, body, { etag: '"a1"' }), whole)
    await expect(fetchCut(server, { limits: { attempts: 1 } })).rejects.toMatchObject({ code: 'SOURCE_FAILED' })
    expect(await fetchFrom(`${server.url}?mirror`)).toMatchObject({ sha256, resumed: false })
  })

  it('starts anew where an earlier run left a damaged description', async () => {
    await writeFile(join(folder, 'register.csv.part'), 'junk')
    await writeFile(join(folder, 'register.csv.part.json'), '{"url":')
    const server = await started(whole)
    expect(await fetchCut(server)).toMatchObject({ sha256, resumed: false })
  })

  it.each<[string, Behaviour]>([
    [
      'another range than asked for',
      (_request, response) => {
        response.writeHead(206, { etag: '"a1"', 'content-range': `bytes 0-${bytes - 1}/${bytes}` }).end(body)
      },
    ],
    [
      'a range of another file',
      (_request, response) => {
        response.writeHead(206, { etag: '"a9"', 'content-range': `bytes 100-${bytes - 1}/${bytes}` })
        response.end(Buffer.from(body).subarray(100))
      },
    ],
    [
      'a part of a file of another size',
      (_request, response) => {
        const range = `bytes 100-${bytes}/${bytes + 1}`
        response.writeHead(206, { etag: '"a1"', 'content-range': range }).end(`${body.slice(100)}x`)
      },
    ],
    [
      'a part, and does not say which',
      (_request, response) => void response.writeHead(206, { etag: '"a1"' }).end(body.slice(100)),
    ],
    [
      'several ranges at once',
      (_request, response) => {
        const type = 'multipart/byteranges; boundary=x'
        response.writeHead(206, { etag: '"a1"', 'content-type': type }).end(`--x\r\n\r\n${body}\r\n--x--`)
      },
    ],
    ['that there is no more', status(416)],
  ])('starts anew where the server answers with %s', async (_what, behaviour) => {
    const server = await started(stallAfter(100, body, { etag: '"a1"' }), behaviour, whole)
    expect(await fetchCut(server)).toMatchObject({ sha256, resumed: false })
    expect(server.requests[2]?.headers).not.toHaveProperty('range')
    expect(await kept()).toBe(body)
  })

  it('starts anew where the server knows no ranges', async () => {
    const server = await started(stallAfter(100, body, { etag: '"a1"' }), ok(body, { etag: '"a1"' }))
    expect(await fetchCut(server)).toMatchObject({ sha256, resumed: false })
    expect(server.requests).toHaveLength(2)
    expect(await kept()).toBe(body)
  })

  it('has all there is where the run died before the file got its name, at the cost of a byte', async () => {
    await writeFile(join(folder, 'register.csv.part'), body)
    const server = await started(whole)
    const description = { url: server.url, etag: '"a1"', total: bytes }
    await writeFile(join(folder, 'register.csv.part.json'), JSON.stringify(description))
    expect(await fetchFrom(server.url)).toMatchObject({ sha256, resumed: true })
    expect(server.requests.map(({ headers }) => headers.range)).toEqual([`bytes=${bytes - 1}-`])
    expect(await readdir(folder)).toEqual(['register.csv'])
  })

  it('is given up after a number of attempts', async () => {
    const server = await started(stallAfter(100, body))
    await expect(fetchCut(server, { limits: { attempts: 3 } })).rejects.toMatchObject({ code: 'SOURCE_FAILED' })
    expect(server.requests).toHaveLength(3)
  })

  it('breaks off where the server stalls', async () => {
    const server = await started(stallAfter(100, body, { etag: '"a1"' }), whole)
    expect(await fetchFrom(server.url, { limits: { stallMs: 50 } })).toMatchObject({ sha256, resumed: true })
  })
})

describe('a source that fails', () => {
  it.each([[404], [410]])('is retired on %i, at once', async (code) => {
    const server = await started(status(code))
    await expect(fetchFrom(server.url)).rejects.toMatchObject({
      code: 'SOURCE_RETIRED',
      data: { url: server.url, status: code },
    })
    expect(server.requests).toHaveLength(1)
    expect(await readdir(folder)).toEqual([])
  })

  it.each([[401], [403]])('fails on %i, at once', async (code) => {
    const server = await started(status(code))
    await expect(fetchFrom(server.url)).rejects.toMatchObject({ code: 'SOURCE_FAILED', data: { status: code } })
    expect(server.requests).toHaveLength(1)
  })

  it.each([[500], [503], [429], [408]])('is asked again on %i', async (code) => {
    const server = await started(status(code), status(code), ok(body))
    expect(await fetchFrom(server.url, { limits: { backoffMs: 10 } })).toMatchObject({ sha256 })
    expect(slept).toEqual([10, 20])
  })

  it('is asked again when it says so', async () => {
    const server = await started(status(503, { 'retry-after': '7' }), ok(body))
    expect(await fetchFrom(server.url)).toMatchObject({ sha256 })
    expect(slept).toEqual([7000])
  })

  it('is not waited for longer than the limit', async () => {
    const server = await started(status(429, { 'retry-after': '86400' }))
    await expect(fetchFrom(server.url)).rejects.toMatchObject({ code: 'SOURCE_FAILED' })
    expect(slept).toEqual([])
  })

  it('is unreachable where nobody listens, within the time that is given', async () => {
    const server = await serve(ok(body))
    await server[Symbol.asyncDispose]()
    await expect(fetchFrom(server.url, { connectTimeoutMs: 25_000 })).rejects.toMatchObject({
      code: 'SOURCE_UNREACHABLE',
      message: expect.stringContaining(server.url),
    })
    expect(slept.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(25_000)
  })

  it('is unreachable where a connection does not come about', async () => {
    const silent = createServer()
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void silent.close())
    const address = silent.address()
    const port = typeof address === 'object' ? address?.port : undefined
    await expect(fetchFrom(`https://127.0.0.1:${port}/a.csv`, { connectTimeoutMs: 100 })).rejects.toMatchObject({
      code: 'SOURCE_UNREACHABLE',
    })
  })

  it('is unreachable where it never answers', async () => {
    const server = await started(() => undefined)
    await expect(fetchFrom(server.url, { limits: { firstByteMs: 50, attempts: 2 } })).rejects.toMatchObject({
      code: 'SOURCE_UNREACHABLE',
    })
  })
})

describe('what arrives and is not the file', () => {
  beforeEach(() => writeFile(join(folder, 'register.csv'), 'the last good one'))

  const refusals: [string, Behaviour, Partial<DownloadRequest>, string][] = [
    ['an HTML page', ok('<!DOCTYPE html><title>Wartung</title>'), {}, 'NOT_WHAT_IT_SAYS'],
    ['nothing', ok(''), {}, 'NOT_WHAT_IT_SAYS'],
    ['less than announced', stallAfter(100, body), { limits: { attempts: 1, stallMs: 50 } }, 'SOURCE_FAILED'],
    ['another length than the index says', ok(body), { expectedBytes: bytes + 1 }, 'DATA_CORRUPT'],
    ['an encoding that nobody asked for', ok(body, { 'content-encoding': 'br' }), {}, 'SOURCE_FAILED'],
    ['an error', status(404), {}, 'SOURCE_RETIRED'],
    [
      'another length than the index says, unannounced',
      (_request, response) => {
        response.write(body)
        response.end()
      },
      { expectedBytes: bytes + 1 },
      'DATA_CORRUPT',
    ],
  ]

  it.each(refusals)('never replaces the last good one: %s', async (_what, behaviour, request, code) => {
    const server = await started(behaviour)
    await expect(fetchFrom(server.url, request)).rejects.toMatchObject({ code })
    expect(await kept()).toBe('the last good one')
  })

  it('is not continued by the next run', async () => {
    const server = await started(ok('<html>', { etag: '"h"' }), fileServer(body, { etag: '"a1"' }))
    await expect(fetchFrom(server.url)).rejects.toMatchObject({ code: 'NOT_WHAT_IT_SAYS' })
    expect(await readdir(folder)).toEqual(['register.csv'])
    expect(await fetchFrom(server.url)).toMatchObject({ sha256, resumed: false })
  })
})

describe('a download that is cancelled', () => {
  it('stops, and is continued by the next run', async () => {
    const controller = new AbortController()
    const server = await started(stallAfter(100, body, { etag: '"a1"' }), fileServer(body, { etag: '"a1"' }))
    const cancelled = fetchFrom(server.url, {}, { signal: controller.signal, onProgress: () => controller.abort() })
    await expect(cancelled).rejects.toMatchObject({ code: 'CANCELLED' })
    expect(await fetchFrom(server.url)).toMatchObject({ sha256, resumed: true })
  })

  it('does not wait for its next attempt', async () => {
    const controller = new AbortController()
    const server = await started(status(503))
    const limits = { backoffMs: 3_600_000, backoffMaxMs: 3_600_000 }
    const cancelled = fetchFrom(server.url, { limits }, { signal: controller.signal, waiting: undefined })
    await vi.waitFor(() => expect(server.requests).toHaveLength(1))
    controller.abort()
    await expect(cancelled).rejects.toMatchObject({ code: 'CANCELLED' })
  })
})

describe('a disk that is full', () => {
  /** The next piece that is appended to a file finds no room. */
  const fillTheDisk = async (): Promise<void> => {
    const handle = await open(join(folder, 'other'), 'w')
    const noSpace = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
    const full = vi.spyOn(Object.getPrototypeOf(handle), 'appendFile').mockRejectedValueOnce(noSpace)
    onTestFinished(() => full.mockRestore())
    await handle.close()
  }

  it('is said, with what became of the part, and the last good file stays', async () => {
    await writeFile(join(folder, 'register.csv'), 'the last good one')
    const server = await started(ok(body))
    await fillTheDisk()
    await expect(fetchFrom(server.url)).rejects.toMatchObject({
      code: 'STORE_UNWRITABLE',
      message: expect.stringMatching(/the disk is full.* register\.csv: 0 bytes had come\. Nothing of it was kept\.$/),
    })
    expect(await kept()).toBe('the last good one')
    expect(await readdir(folder)).not.toContain('register.csv.part')
  })

  it('gives the last of a part back, and the next run goes on from what is left', async () => {
    const mebibyte = 1024 * 1024
    const long = Buffer.alloc(12 * mebibyte, 'abc')
    const server = await started(fileServer(long, { etag: '"1"' }))
    let isFilled = false
    const checkReceived = (received: number): void => {
      if (received < 10 * mebibyte || isFilled) return
      isFilled = true
      throw new StichtagError('STORE_UNWRITABLE', 'full', { data: { system: 'ENOSPC' } })
    }
    await expect(fetchFrom(server.url, {}, { checkReceived })).rejects.toThrow(
      /is kept in .*, and the next run goes on/,
    )
    const { size } = await stat(join(folder, 'register.csv.part'))
    expect(size).toBeLessThan(4 * mebibyte)
    expect(size).toBeGreaterThan(0)
    expect(await fetchFrom(server.url)).toMatchObject({ bytes: long.length, resumed: true })
    expect(server.requests.at(-1)?.headers.range).toBe(`bytes=${size}-`)
  })
})

describe('a part that is given up', () => {
  const full = new StichtagError('STORE_UNWRITABLE', 'full', { data: { system: 'ENOSPC' } })
  const wrong = new StichtagError('NOT_WHAT_IT_SAYS', 'too much')
  it.each([
    ['is small, and the disk is full', full, /removed to make room/],
    ['is of a file that nobody wants', wrong, /removed, as it cannot be continued/],
  ])('is removed where it %s', async (_words, error, words) => {
    const server = await started(fileServer(Buffer.alloc(3 * 1024 * 1024, 'abc'), { etag: '"1"' }))
    const checkReceived = (received: number): void => {
      if (received > 0) throw error
    }
    await expect(fetchFrom(server.url, {}, { checkReceived })).rejects.toMatchObject({
      code: error.code,
      message: expect.stringMatching(words),
    })
    expect(await readdir(folder)).toEqual([])
  })
})

describe('a link in the place of a part', () => {
  it('is refused, and what it leads to is not written to', async () => {
    await writeFile(join(folder, 'mine.txt'), 'mine')
    await symlink('mine.txt', join(folder, 'register.csv.part'))
    const server = await started(ok(body))
    await expect(fetchFrom(server.url)).rejects.toMatchObject({
      code: 'STORE_UNWRITABLE',
      message: expect.stringMatching(/register\.csv\.part is a symbolic link.*Move it away/),
    })
    expect(await readFile(join(folder, 'mine.txt'), 'utf8')).toBe('mine')
  })
})

describe('a local file', () => {
  it.each([
    ['path', (path: string) => path],
    ['file URL', (path: string) => pathToFileURL(path).href],
  ])('is hashed where it lies, by its %s', async (_kind, locate) => {
    const path = join(folder, 'meine Daten.csv')
    await writeFile(path, body)
    const location = locate(path)
    expect(await fetchFrom(location)).toMatchObject({ kind: 'file', path, bytes, sha256, url: location })
    expect(await readdir(folder)).toEqual(['meine Daten.csv'])
  })

  it.each([['gone.csv'], ['.']])('is said to be missing: %s', async (name) => {
    await expect(fetchFrom(join(folder, name))).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' })
  })

  it('is not looked for under a scheme that nobody fetches', async () => {
    await expect(fetchFrom('ftp://example.org/a.csv')).rejects.toMatchObject({ code: 'USAGE' })
  })
})

describe('proxies of the environment', () => {
  afterEach(() => {
    vi.unstubAllEnvs()
  })

  it('are asked for other machines, and never for this one', async () => {
    const asked: string[] = []
    const proxy = createServer((socket) =>
      socket.once('data', (data) => {
        asked.push(data.toString('latin1').split(' ').slice(0, 2).join(' '))
        socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n')
      }),
    )
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void proxy.close())
    const address = proxy.address()
    const port = typeof address === 'object' ? address?.port : undefined
    for (const name of ['http_proxy', 'HTTP_PROXY']) vi.stubEnv(name, `http://127.0.0.1:${port}`)
    for (const name of ['no_proxy', 'NO_PROXY']) vi.stubEnv(name, 'direct.invalid')

    const server = await started(ok(body))
    expect(await fetchFrom(server.url)).toMatchObject({ sha256 })
    expect(asked).toEqual([])

    await expect(fetchFrom('http://register.invalid/a.csv', { limits: { attempts: 1 } })).rejects.toThrow()
    expect(asked).toEqual([expect.stringContaining('register.invalid')])
  })
})
