import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { datasetsIn } from '../../src/gateway/dataset-scope.ts'
import { metadataAddresses } from '../../src/gateway/issuer-keys.ts'
import { OAuthAuthority } from '../../src/gateway/oauth.ts'
import { serve } from './served.ts'
import { EventStream, modernRequest } from './wire.ts'

const issuer = 'https://login.example'
const resource = 'https://data.example/mcp'

let server: Server
let jwks: string
let keys: { privateKey: CryptoKey }
let foreign: { privateKey: CryptoKey }

beforeAll(async () => {
  const [own, other] = [await generateKeyPair('ES256'), await generateKeyPair('ES256')]
  const published = JSON.stringify({ keys: [{ ...(await exportJWK(own.publicKey)), kid: 'k1', alg: 'ES256' }] })
  server = createServer((_, response) => response.setHeader('content-type', 'application/json').end(published))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // It listens on a port, not on a pipe.
  jwks = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`
  keys = own
  foreign = other
})
afterAll(() => {
  server.close()
})

const now = () => Math.floor(Date.now() / 1000)

const token = (claims: Record<string, unknown> = {}, key = keys.privateKey) => {
  const all = { iss: issuer, aud: resource, sub: 'somebody', exp: now() + 300, scope: 'data:read other', ...claims }
  return new SignJWT(all).setProtectedHeader({ alg: 'ES256', kid: 'k1' }).sign(key)
}

const authority = (scope?: string) =>
  new OAuthAuthority({ issuer, jwks, resource, ...(scope === undefined ? {} : { scope }) })

describe('tokens of an authorisation server', () => {
  it('are good when they were issued by it, for this resource, and still hold', async () => {
    const grant = await authority().grantOf(await token())
    expect(grant?.client).toMatch(/^oauth-[0-9a-f]{8}$/)
    expect(grant?.expiresAt).toBeGreaterThan(Date.now())
  })

  it.each([
    ['of another issuer', { iss: 'https://evil.example' }],
    ['for another resource', { aud: 'https://other.example/mcp' }],
    ['that are over', { exp: now() - 60 }],
    ['that do not hold yet', { nbf: now() + 60 }],
    ['without an end', { exp: undefined }],
    ['of nobody', { sub: undefined }],
  ])('are not good %s', async (_what, claims) => {
    expect(await authority().grantOf(await token(claims))).toBeUndefined()
  })

  it('are not good when another key signed them, or none, or a secret', async () => {
    const own = authority()
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const claims = { iss: issuer, aud: resource, sub: 'somebody', exp: now() + 300 }
    const secret = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'k1' }).sign(new Uint8Array(32))
    for (const bad of [
      await token({}, foreign.privateKey),
      `${part({ alg: 'none' })}.${part(claims)}.`,
      secret,
      'nonsense',
    ]) {
      expect(await own.grantOf(bad)).toBeUndefined()
    }
  })

  it('need the scope that is asked for, however the server spells it', async () => {
    const own = authority('data:read')
    for (const claims of [{}, { scope: undefined, scp: ['data:read'] }, { scope: undefined, scp: 'x data:read' }]) {
      expect(await own.grantOf(await token(claims))).not.toHaveProperty('lacks')
    }
    for (const claims of [{ scope: 'data:reader' }, { scope: undefined }, { scope: 7 }]) {
      expect(await own.grantOf(await token(claims))).toMatchObject({ lacks: 'data:read' })
    }
  })

  it('are of the same client after they were renewed, and of another for another person', async () => {
    const own = authority()
    const clientOf = async (claims: object) => (await own.grantOf(await token({ ...claims })))?.client
    expect(await clientOf({ exp: now() + 60 })).toBe(await clientOf({ exp: now() + 120 }))
    expect(await clientOf({})).not.toBe(await clientOf({ sub: 'else' }))
  })

  it('cannot be judged where the keys are out of reach', async () => {
    const lost = new OAuthAuthority({ issuer, jwks: 'http://127.0.0.1:9/jwks', resource })
    await expect(lost.grantOf(await token())).rejects.toMatchObject({ code: 'SOURCE_UNREACHABLE' })
    const { url } = await serve({ 1: 'a' }, {}, { authority: lost })
    const headers = { authorization: `Bearer ${await token()}` }
    const answer = await modernRequest(url, 'tools/list', {}, undefined, headers)
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('10')
  })

  it.each([
    [
      ['data:offeneregister', 'data:uksl', 'openid'],
      ['offeneregister', 'uksl'],
    ],
    [['data:*', 'data:uksl'], undefined],
    [['data:', 'metadata:uksl', 7], []],
  ])('are for the datasets that their scopes name: %j', (scopes, datasets) => {
    expect(datasetsIn(scopes, 'data:{dataset}')).toEqual(datasets)
  })

  it('are for all datasets unless scopes are for one each, and for none without such a scope', async () => {
    const grantOf = async (scope: string, datasetScope?: string) =>
      new OAuthAuthority({ issuer, jwks, resource, ...(datasetScope === undefined ? {} : { datasetScope }) }).grantOf(
        await token({ scope }),
      )
    expect(await grantOf('a.read')).not.toHaveProperty('datasets')
    expect(await grantOf('a.read b.read', '{dataset}.read')).toMatchObject({ datasets: ['a', 'b'] })
    expect(await grantOf('*.read', '{dataset}.read')).not.toHaveProperty('datasets')
    expect(await grantOf('read', '{dataset}.read')).toMatchObject({ datasets: [] })
  })

  it('are for no dataset by the scope that all must have, even where it looks like that of one', () => {
    expect(datasetsIn(['data:read', 'data:uksl'], 'data:{dataset}', 'data:read')).toEqual(['uksl'])
    expect(datasetsIn(['data:read'], 'data:{dataset}', 'data:read')).toEqual([])
    expect(datasetsIn(['data:uksl', 'data:uksl', 'data:Un SC'], 'data:{dataset}')).toEqual(['uksl'])
  })

  it('count for the same subject, whichever client it had them issued to', async () => {
    const own = authority()
    const grantOf = async (claims: object) => own.grantOf(await token({ ...claims }))
    const [first, second] = [await grantOf({ client_id: 'a' }), await grantOf({ client_id: 'b' })]
    expect(first?.client).not.toBe(second?.client)
    expect(first?.subject).toBe(second?.subject)
    expect((await grantOf({ sub: 'else', client_id: 'a' }))?.subject).not.toBe(first?.subject)
  })
})

describe('an issuer whose keys nobody named', () => {
  it('has its metadata where MCP looks for them', () => {
    expect(metadataAddresses('https://login.example')).toEqual([
      'https://login.example/.well-known/oauth-authorization-server',
      'https://login.example/.well-known/openid-configuration',
    ])
    expect(metadataAddresses('https://login.example/tenant/')).toEqual([
      'https://login.example/.well-known/oauth-authorization-server/tenant',
      'https://login.example/.well-known/openid-configuration/tenant',
      'https://login.example/tenant/.well-known/openid-configuration',
    ])
  })

  const publishing = async (pages: (origin: string) => Record<string, object>): Promise<string> => {
    const origin = Promise.withResolvers<string>()
    const publisher = createServer((request, response) => {
      void origin.promise.then((own) => {
        const page = pages(own)[request.url ?? '']
        response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'application/json' })
        response.end(JSON.stringify(page ?? {}))
      })
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void publisher.close())
    await once(publisher, 'listening')
    // It listens on a port, not on a pipe.
    origin.resolve(`http://127.0.0.1:${(publisher.address() as AddressInfo).port}`)
    return origin.promise
  }

  it('says itself where they are', async () => {
    const found = await publishing((own) => ({ '/.well-known/openid-configuration': { issuer: own, jwks_uri: jwks } }))
    const own = new OAuthAuthority({ issuer: found, resource })
    expect(await own.grantOf(await token({ iss: found }))).toMatchObject({ client: expect.stringMatching(/^oauth-/) })
    expect(await own.grantOf(await token({ iss: issuer }))).toBeUndefined()
  })

  it('is not believed where it speaks for another, and is asked again later', async () => {
    let speaksFor = 'https://evil.example'
    const found = await publishing((own) => ({
      '/.well-known/oauth-authorization-server': { issuer: speaksFor === '' ? own : speaksFor, jwks_uri: jwks },
    }))
    const own = new OAuthAuthority({ issuer: found, resource, pauseMs: 0 })
    await expect(own.grantOf(await token({ iss: found }))).rejects.toMatchObject({ code: 'SOURCE_UNREACHABLE' })
    speaksFor = ''
    expect(await own.grantOf(await token({ iss: found }))).toBeDefined()
  })

  it('is not believed where it sends for the keys over plain http', async () => {
    const found = await publishing((own) => ({
      '/.well-known/openid-configuration': { issuer: own, jwks_uri: 'http://keys.example/jwks' },
    }))
    const own = new OAuthAuthority({ issuer: found, resource })
    await expect(own.grantOf(await token({ iss: found }))).rejects.toThrow(/http:\/\/keys\.example\/jwks.*not https/)
  })

  it('must have metadata', async () => {
    const own = new OAuthAuthority({ issuer: await publishing(() => ({})), resource })
    await expect(own.grantOf(await token())).rejects.toThrow(/no metadata at .*oauth-authorization-server/)
  })
})

describe('the keys of an issuer', () => {
  /** Publishes what `answer` gives; `asked` counts how often. */
  const keysAt = async (answer: () => { readonly status?: number; readonly body: string }) => {
    const asked = { times: 0 }
    const publisher = createServer((_, response) => {
      asked.times += 1
      const { status = 200, body } = answer()
      response.writeHead(status, { 'content-type': 'application/json' }).end(body)
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void publisher.close())
    await once(publisher, 'listening')
    // It listens on a port, not on a pipe.
    const { port } = publisher.address() as AddressInfo
    return { asked, jwks: `http://127.0.0.1:${port}/jwks` }
  }

  const jwkOf = async (key: CryptoKey, kid?: string) => ({ ...(await exportJWK(key)), alg: 'ES256', kid })

  const signed = (key: CryptoKey, kid?: string) =>
    new SignJWT({ iss: issuer, aud: resource, sub: 'somebody', exp: now() + 300 })
      .setProtectedHeader({ alg: 'ES256', ...(kid === undefined ? {} : { kid }) })
      .sign(key)

  it('are all tried where neither they nor the token have a name', async () => {
    const [first, second, strange] = [
      await generateKeyPair('ES256'),
      await generateKeyPair('ES256'),
      await generateKeyPair('ES256'),
    ]
    const body = JSON.stringify({ keys: [await jwkOf(first.publicKey), await jwkOf(second.publicKey)] })
    const own = new OAuthAuthority({ issuer, jwks: (await keysAt(() => ({ body }))).jwks, resource })
    for (const { privateKey } of [first, second]) expect(await own.grantOf(await signed(privateKey))).toBeDefined()
    expect(await own.grantOf(await signed(strange.privateKey))).toBeUndefined()
  })

  it('are not asked for again at once where they cannot be had, whatever tokens name', async () => {
    const { asked, jwks: failing } = await keysAt(() => ({ status: 500, body: '{}' }))
    const own = new OAuthAuthority({ issuer, jwks: failing, resource })
    for (const kid of ['a', 'b', 'c', 'd']) {
      await expect(own.grantOf(await signed(keys.privateKey, kid))).rejects.toMatchObject({
        code: 'SOURCE_UNREACHABLE',
      })
    }
    expect(asked.times).toBe(1)
  })

  it('may have a new one among them that was not there moments ago: its tokens are good', async () => {
    const [old, renewed] = [await generateKeyPair('ES256'), await generateKeyPair('ES256')]
    const published = [await jwkOf(old.publicKey, 'old')]
    const { jwks: rotating } = await keysAt(() => ({ body: JSON.stringify({ keys: published }) }))
    const own = new OAuthAuthority({ issuer, jwks: rotating, resource, pauseMs: 50 })
    expect(await own.grantOf(await signed(old.privateKey, 'old'))).toBeDefined()
    published.push(await jwkOf(renewed.publicKey, 'new'))
    const fresh = await signed(renewed.privateKey, 'new')
    const asked = [fresh, await signed(renewed.privateKey, 'made-up'), fresh, await signed(old.privateKey, 'old')]
    const grants = await Promise.all(asked.map((each) => own.grantOf(each)))
    expect(grants.map((grant) => grant !== undefined)).toEqual([true, false, true, true])
  })

  it('are no more than a bounded answer', async () => {
    const { jwks: huge } = await keysAt(() => ({ body: JSON.stringify({ keys: [], rest: 'x'.repeat(600_000) }) }))
    const own = new OAuthAuthority({ issuer, jwks: huge, resource })
    await expect(own.grantOf(await token())).rejects.toThrow(/more than \d+ bytes/)
  })
})

describe('a gateway as an OAuth resource server', () => {
  const read = async (url: string, bearer?: string) =>
    modernRequest(
      url,
      'resources/read',
      { uri: 'shop://item/1' },
      undefined,
      bearer === undefined ? {} : { authorization: `Bearer ${bearer}` },
    )

  it('says where a token is to be had, and shows its metadata to anybody', async () => {
    const { url } = await serve({ 1: 'a' }, {}, { authority: authority('data:read') })
    const refused = await read(url)
    const address = 'https://data.example/.well-known/oauth-protected-resource/mcp'
    expect(refused.status).toBe(401)
    expect(refused.headers.get('www-authenticate')).toBe(
      `Bearer realm="stichtag", resource_metadata="${address}", scope="data:read"`,
    )
    for (const path of ['', '/mcp']) {
      const metadata = await fetch(url.replace('/mcp', `/.well-known/oauth-protected-resource${path}`))
      expect(await metadata.json()).toMatchObject({
        resource,
        authorization_servers: [issuer],
        scopes_supported: ['data:read'],
        bearer_methods_supported: ['header'],
      })
    }
  })

  it('has no such metadata where it asks for no token of a server', async () => {
    const { url } = await serve()
    expect((await fetch(url.replace('/mcp', '/.well-known/oauth-protected-resource'))).status).toBe(404)
  })

  it('lets good tokens in, and tells a lacking scope from a bad token', async () => {
    const { url } = await serve({ 1: 'a' }, {}, { authority: authority('data:read') })
    expect((await read(url, await token())).status).toBe(200)
    expect((await read(url, await token({ exp: now() - 60 }))).status).toBe(401)
    const lacking = await read(url, await token({ scope: 'other' }))
    expect(lacking.status).toBe(403)
    expect(lacking.headers.get('www-authenticate')).toContain('error="insufficient_scope"')
  })

  it('keeps apart the scope that all need and those of datasets, as its documentation has them', async () => {
    const scopes = { scope: 'data:read', datasetScope: 'data:{dataset}' }
    const { url } = await serve(
      { 1: 'a' },
      {},
      { authority: new OAuthAuthority({ issuer, jwks, resource, ...scopes }) },
    )
    expect((await read(url, await token({ scope: 'data:read data:shop' }))).status).toBe(200)
    expect((await read(url, await token({ scope: 'data:read data:*' }))).status).toBe(200)
    for (const scope of ['data:read', 'data:read data:write']) {
      const refused = await read(url, await token({ scope }))
      expect(refused.status).toBe(403)
      expect(refused.headers.get('www-authenticate')).toContain(
        'scope="data:read data:shop", error="insufficient_scope"',
      )
      expect(await refused.text()).toContain('This token reaches no dataset here. There are: shop.')
    }
    const withoutPlain = await read(url, await token({ scope: 'data:shop' }))
    expect(await withoutPlain.text()).toContain('This token lacks the scope data:read.')
  })

  it('ends a stream when its token ends', async () => {
    const { url } = await serve({ 1: 'a' }, {}, { authority: authority() })
    const abort = new AbortController()
    const listening = { notifications: { resourceSubscriptions: ['shop://item/1'] } }
    const headers = { authorization: `Bearer ${await token({ exp: now() + 2 })}` }
    const response = await modernRequest(url, 'subscriptions/listen', listening, abort.signal, headers)
    const stream = new EventStream(response, abort)
    await expect.poll(() => stream.messages.length).toBe(1)
    await expect(stream.ended).rejects.toThrow()
  })
})
