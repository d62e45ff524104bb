import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { authorisationOf } from '../../src/gateway/authority.ts'
import { parseTokens, TokenFile } from '../../src/gateway/token-file.ts'

const log = pino({ level: 'silent' })
let folder: string
let path: string
let file: TokenFile | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stichtag-tokens-'))
  path = join(folder, 'tokens')
})
afterEach(() => {
  file?.close()
  file = undefined
  rmSync(folder, { recursive: true })
})

const open = (text: string): TokenFile => {
  writeFileSync(path, text)
  file = new TokenFile(path, log)
  return file
}

const clientOf = async (tokens: TokenFile, token: string): Promise<string | undefined> =>
  (await tokens.grantOf(token))?.client

describe('the tokens in a text', () => {
  it('are one a line, without comments, blanks and line ends of Windows', () => {
    expect(parseTokens('# ours\n\n  one-token  # of the desk\r\ntwo.token==\n', 'f')).toEqual([
      { token: 'one-token' },
      { token: 'two.token==' },
    ])
  })

  it('are limited to the datasets that follow them', () => {
    expect(parseTokens('all\nsome  datasets=offeneregister,gtfs-de # the desk\n', 'f')).toEqual([
      { token: 'all' },
      { token: 'some', datasets: ['offeneregister', 'gtfs-de'] },
    ])
  })

  it.each([
    'some datasets=',
    'some datasets=A',
    'some offeneregister',
    'some datasets=a, b',
    'some datasets=a x',
    'twice\ntwice',
  ])('are not %j', (text) => {
    expect(() => parseTokens(text, 'f')).toThrow(expect.objectContaining({ code: 'USAGE' }))
  })

  it('must be there', () => {
    expect(() => parseTokens('# none yet\n\n', 'f')).toThrow(expect.objectContaining({ code: 'USAGE' }))
  })

  it('must be what a header can carry; the message names the line and does not show it', () => {
    const refused = () => parseTokens('good\nse cret\n', 'f')
    expect(refused).toThrow(expect.objectContaining({ code: 'USAGE', message: expect.stringContaining('f, line 2') }))
    expect(refused).toThrow(expect.objectContaining({ message: expect.not.stringContaining('se cret') }))
  })
})

describe('a token file', () => {
  it('knows its tokens, each by a name that gives nothing of it away', async () => {
    const tokens = open('alpha\nbeta\n')
    const [alpha, beta] = [await clientOf(tokens, 'alpha'), await clientOf(tokens, 'beta')]
    expect(alpha).toMatch(/^token-[0-9a-f]{8}$/)
    expect(beta).toMatch(/^token-[0-9a-f]{8}$/)
    expect(alpha).not.toBe(beta)
    for (const wrong of ['', 'alph', 'alphaa', 'ALPHA', 'gamma']) expect(await clientOf(tokens, wrong)).toBeUndefined()
  })

  it('says whose token is for other datasets now, so that what was opened with it ends', async () => {
    const tokens = open('alpha datasets=one\nbeta\n')
    const client = await clientOf(tokens, 'alpha')
    const revoked: string[] = []
    tokens.onRevoked((each) => void revoked.push(each))
    writeFileSync(path, 'alpha datasets=one,two\nbeta\n')
    expect(await tokens.grantOf('alpha')).toEqual({ client, datasets: ['one', 'two'] })
    expect(revoked).toEqual([client])
  })

  it('is read again when it was written or replaced, and says whose token is gone', async () => {
    const tokens = open('alpha\nbeta\n')
    const alpha = await clientOf(tokens, 'alpha')
    const revoked: string[] = []
    tokens.onRevoked((client) => revoked.push(client))
    writeFileSync(path, 'alpha\nbeta\ngamma\n')
    expect(await clientOf(tokens, 'gamma')).toBeDefined()
    expect(revoked).toEqual([])
    writeFileSync(`${path}.new`, 'beta\ngamma\n')
    renameSync(`${path}.new`, path)
    expect(await clientOf(tokens, 'alpha')).toBeUndefined()
    expect(await clientOf(tokens, 'beta')).toBeDefined()
    expect(revoked).toEqual([alpha])
  })

  it('notices by itself, for those who ask nothing', async () => {
    const tokens = open('alpha\n')
    const revoked: string[] = []
    tokens.onRevoked((client) => revoked.push(client))
    writeFileSync(path, 'beta\n')
    await expect.poll(() => revoked, { timeout: 10_000 }).toHaveLength(1)
  })

  it.each([
    ['is gone', () => rmSync(path)],
    ['holds no token', () => writeFileSync(path, '\n')],
    ['has a line that is none', () => writeFileSync(path, 'alpha\nnot a token\n')],
  ])('that %s lets nobody in until it is mended', async (_what, damage) => {
    const tokens = open('alpha\n')
    damage()
    expect(await clientOf(tokens, 'alpha')).toBeUndefined()
    writeFileSync(path, 'alpha\n')
    expect(await clientOf(tokens, 'alpha')).toBeDefined()
  })

  it('must be there at the start', () => {
    expect(() => new TokenFile(path, log)).toThrow(expect.objectContaining({ code: 'FILE_NOT_FOUND' }))
  })
})

describe('an Authorization header', () => {
  it('is granted for a known token, in any case of the scheme', async () => {
    const tokens = open('alpha\n')
    const client = await clientOf(tokens, 'alpha')
    for (const header of ['Bearer alpha', 'bearer alpha', 'Bearer  alpha ']) {
      expect(await authorisationOf(header, tokens)).toEqual({ kind: 'granted', grant: { client } })
    }
  })

  it('is refused otherwise, and says invalid_token only where there was a token (RFC 6750 §3.1)', async () => {
    const tokens = open('alpha\n')
    for (const header of [undefined, '', 'Basic alpha', 'alpha', 'Bearer']) {
      expect(await authorisationOf(header, tokens)).toMatchObject({
        kind: 'refused',
        challenge: 'Bearer realm="stichtag"',
      })
    }
    expect(await authorisationOf('Bearer beta', tokens)).toMatchObject({
      kind: 'refused',
      challenge: expect.stringContaining('error="invalid_token"'),
    })
  })
})
