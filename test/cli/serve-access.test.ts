import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { httpAccess, noAccessFlags } from '../../src/cli/serve-access.ts'
import { runCommand, startCommand } from '../../src/demo/processes.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stichtag-access-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

const usage = expect.objectContaining({ code: 'USAGE' })

describe('what serve is told about access', () => {
  it('takes host names, names with a port, and origins', () => {
    const { options } = httpAccess(
      { allowHost: ['data.example', 'other.example:8443'], allowOrigin: ['https://app.example', 'x.example'] },
      '127.0.0.1',
    )
    expect(options).toMatchObject({
      allowedHosts: ['data.example', 'other.example'],
      allowedOrigins: ['app.example', 'x.example'],
    })
    expect(() => httpAccess({ allowHost: ['not a host'] }, '127.0.0.1')).toThrow(usage)
  })

  it('wants certificate and key together, and good ones', () => {
    const file = join(folder, 'cert.pem')
    writeFileSync(file, 'no certificate')
    expect(() => httpAccess({ tlsCert: file }, '127.0.0.1')).toThrow(usage)
    expect(() => httpAccess({ tlsKey: file }, '127.0.0.1')).toThrow(usage)
    expect(() => httpAccess({ tlsCert: file, tlsKey: file }, '127.0.0.1')).toThrow(usage)
    const gone = join(folder, 'gone.pem')
    expect(() => httpAccess({ tlsCert: gone, tlsKey: file }, '127.0.0.1')).toThrow(
      expect.objectContaining({ code: 'FILE_NOT_FOUND' }),
    )
  })

  it('wants everything about an authorisation server, as URLs, and no other way in beside it', () => {
    const flags = {
      oauthIssuer: 'https://login.example',
      oauthJwks: 'https://login.example/jwks',
      oauthResource: 'https://data.example/mcp',
    }
    expect(httpAccess({ ...flags, oauthScope: 'read' }, '0.0.0.0').oauth).toEqual({
      issuer: flags.oauthIssuer,
      jwks: flags.oauthJwks,
      resource: flags.oauthResource,
      scope: 'read',
    })
    const { oauthJwks: _, ...discovered } = flags
    expect(httpAccess({ ...discovered, oauthDatasetScope: 'data:{dataset}' }, '0.0.0.0').oauth).toEqual({
      issuer: flags.oauthIssuer,
      resource: flags.oauthResource,
      datasetScope: 'data:{dataset}',
    })
    for (const oauthDatasetScope of ['data', '{dataset}{dataset}', 'data {dataset}']) {
      expect(() => httpAccess({ ...flags, oauthDatasetScope }, '127.0.0.1')).toThrow(usage)
    }
    expect(() => httpAccess({ oauthIssuer: flags.oauthIssuer }, '127.0.0.1')).toThrow(usage)
    expect(() => httpAccess({ oauthScope: 'read' }, '127.0.0.1')).toThrow(usage)
    expect(() => httpAccess({ ...flags, oauthJwks: 'jwks' }, '127.0.0.1')).toThrow(usage)
    expect(() => httpAccess({ ...flags, open: true }, '0.0.0.0')).toThrow(usage)
  })

  it.each([
    ['an issuer', { oauthIssuer: 'http://login.example' }],
    ['keys', { oauthJwks: 'http://login.example/jwks' }],
  ])('takes no plain http for %s beyond this machine, unless that is said to be safe', (_what, plain) => {
    const flags = { oauthIssuer: 'https://login.example', oauthResource: 'https://data.example/mcp', ...plain }
    expect(() => httpAccess(flags, '0.0.0.0')).toThrow(/plain http.*--oauth-plain-http/)
    expect(httpAccess({ ...flags, oauthPlainHttp: true }, '0.0.0.0').oauth).toMatchObject({ plainHttp: true })
    for (const here of ['http://127.0.0.1:9000', 'http://localhost:9000', 'http://[::1]:9000']) {
      expect(httpAccess({ ...flags, oauthIssuer: here, oauthJwks: `${here}/jwks` }, '0.0.0.0').oauth).toBeDefined()
    }
  })

  it('takes no resource or issuer with a fragment', () => {
    const flags = { oauthIssuer: 'https://login.example', oauthResource: 'https://data.example/mcp' }
    expect(() => httpAccess({ ...flags, oauthResource: 'https://data.example/mcp#x' }, '0.0.0.0')).toThrow(
      /--oauth-resource.*#fragment/,
    )
    expect(() => httpAccess({ ...flags, oauthIssuer: 'https://login.example/#' }, '0.0.0.0')).toThrow(usage)
  })

  it('takes one way in alone', () => {
    const flags = { oauthIssuer: 'https://login.example', oauthResource: 'https://data.example/mcp' }
    expect(() => httpAccess({ ...flags, open: true }, '0.0.0.0')).toThrow(usage)
    expect(() => httpAccess({ ...flags, tokenFile: 'f' }, '0.0.0.0')).toThrow(usage)
  })

  it('is about HTTP alone', () => {
    expect(() => noAccessFlags({ tokenFile: 'f' })).toThrow(usage)
    expect(() => noAccessFlags({ rateLimit: 0 })).toThrow(usage)
    expect(() => noAccessFlags({})).not.toThrow()
  })
})

describe('serve', () => {
  const env = () => ({ ...process.env, STICHTAG_LOG: 'info', STICHTAG_HOME: join(folder, 'home') })

  it.each([
    ['beyond loopback without a word on access', ['--http', '0.0.0.0:0']],
    ['open and with tokens', ['--http', '0.0.0.0:0', '--open', '--token-file', 'f']],
    ['with a limit that is no number', ['--http', '0', '--rate-limit', 'few']],
    ['over stdio with tokens', ['--stdio', '--token-file', 'f']],
  ])('does not start %s', async (_what, args) => {
    expect((await runCommand(['serve', ...args], env())).status).toBe(2)
  })

  it('asks for a token of the file, and takes a new one without a restart', async () => {
    const tokens = join(folder, 'tokens')
    writeFileSync(tokens, 'first # of October\n')
    const gateway = startCommand(['serve', '--http', '0.0.0.0:0', '--token-file', tokens], env())
    try {
      const { url } = await gateway.line((line) => typeof line.url === 'string')
      const metrics = String(url).replace('0.0.0.0', '127.0.0.1').replace('/mcp', '/metrics')
      const status = async (token?: string) =>
        (await fetch(metrics, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } })).status
      expect([await status(), await status('second'), await status('first')]).toEqual([401, 401, 200])
      writeFileSync(tokens, 'second\n')
      expect([await status('first'), await status('second')]).toEqual([401, 200])
    } finally {
      await gateway.stop()
    }
  })
})
