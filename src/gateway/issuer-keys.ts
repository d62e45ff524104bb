/**
 * Where an authorisation server publishes its keys: at an address that was given, or at the one that its own metadata
 * says (RFC 8414, or OpenID Connect Discovery). The metadata are fetched when the first token is checked, and again while
 * they cannot be had: a gateway starts whether its authorisation server is up or not.
 */
import { createRemoteJWKSet, type JWTVerifyGetKey } from 'jose'
import { z } from 'zod'
import { StichtagError } from '../errors.ts'

const timeoutMs = 5000

const metadataSchema = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) })

/** The addresses at which an issuer's metadata may be, in the order in which MCP has them tried. */
export const metadataAddresses = (issuer: string): readonly string[] => {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  const inserted = ['oauth-authorization-server', 'openid-configuration'].map(
    (name) => `${origin}/.well-known/${name}${path}`,
  )
  return path === '' ? inserted : [...inserted, `${origin}${path}/.well-known/openid-configuration`]
}

const unreachable = (issuer: string, why: string, cause?: unknown): StichtagError =>
  new StichtagError('SOURCE_UNREACHABLE', `The keys of ${issuer} cannot be had: ${why}. Tokens cannot be checked.`, {
    cause,
  })

/** Metadata at an address; undefined where there are none. Throws where that cannot be known, or they are wrong. */
const metadataAt = async (address: string, issuer: string) => {
  const response = await fetch(address, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' })
  if (!response.ok) {
    await response.body?.cancel()
    return undefined
  }
  const metadata = metadataSchema.parse(await response.json())
  // A server that speaks for another issuer must not choose whose keys count (RFC 8414 §3.3).
  if (metadata.issuer !== issuer) throw new Error(`${address} speaks for ${metadata.issuer}`)
  return metadata
}

/** Finds where the keys are published. Throws SOURCE_UNREACHABLE, saying what was tried. */
export const discoverKeys = async (issuer: string): Promise<string> => {
  const addresses = metadataAddresses(issuer)
  for (const address of addresses) {
    try {
      const metadata = await metadataAt(address, issuer)
      if (metadata !== undefined) return metadata.jwks_uri
    } catch (cause) {
      throw unreachable(issuer, String(cause), cause)
    }
  }
  throw unreachable(issuer, `no metadata at ${addresses.join(', ')}`)
}

/** The keys of an issuer, as `jose` asks for them; fetched anew when a token names one that is not known. */
export const issuerKeys = (issuer: string, jwks: string | undefined): JWTVerifyGetKey => {
  let finding: Promise<JWTVerifyGetKey> | undefined
  const find = async (): Promise<JWTVerifyGetKey> => createRemoteJWKSet(new URL(jwks ?? (await discoverKeys(issuer))))
  return async (header, token) => {
    finding ??= find()
    try {
      return await (await finding)(header, token)
    } catch (error) {
      if (error instanceof StichtagError) finding = undefined
      throw error
    }
  }
}
