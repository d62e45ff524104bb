/**
 * Where an authorisation server publishes its keys: at an address that was given, or at the one that its own metadata
 * says (RFC 8414, or OpenID Connect Discovery). The metadata are fetched when the first token is checked, and again while
 * they cannot be had: a gateway starts whether its authorisation server is up or not.
 *
 * Anybody can make up tokens that name keys which nobody has. So the issuer is asked at most every other second, whatever
 * it answers. A key that is not known meanwhile may be a new one: its token waits until the issuer was asked again.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose'
import { z } from 'zod'
import { StichtagError } from '../errors.ts'
import { isTrustworthy } from './trustworthy-url.ts'

const timeoutMs = 5000
const defaultPauseMs = 2000
/** What an issuer says is some kilobytes: more would take time from those who are being answered. */
const mostBytes = 512 * 1024

const metadataSchema = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) })

export interface Issuer {
  readonly issuer: string
  /** Where its keys are published; where its metadata say unless given. */
  readonly jwks?: string
  /** Whether its keys may come over plain http from beyond this machine. */
  readonly plainHttp?: boolean
  /** Milliseconds for which it is not asked again, after an answer and after a failure; 2,000 unless said. */
  readonly pauseMs?: number
}

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

/** The same answer with a body that is read already. Rejects where there is too much of it. */
const bounded = async (response: Response): Promise<Response> => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > mostBytes) throw new Error(`${response.url} answers with more than ${mostBytes} bytes`)
    chunks.push(chunk)
  }
  const { status, headers } = response
  return new Response(chunks.length === 0 ? null : Buffer.concat(chunks), { status, headers })
}

/** Metadata at an address; undefined where there are none. Throws where that cannot be known, or they are wrong. */
const metadataAt = async (address: string, { issuer, plainHttp = false }: Issuer) => {
  const response = await fetch(address, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' })
  if (!response.ok) {
    await response.body?.cancel()
    return undefined
  }
  const metadata = metadataSchema.parse(await (await bounded(response)).json())
  // A server that speaks for another issuer must not choose whose keys count (RFC 8414 §3.3).
  if (metadata.issuer !== issuer) throw new Error(`${address} speaks for ${metadata.issuer}`)
  if (!plainHttp && !isTrustworthy(metadata.jwks_uri)) {
    throw new Error(`${address} says that they are at ${metadata.jwks_uri}, which is not https`)
  }
  return metadata
}

/** Finds where the keys are published. Throws SOURCE_UNREACHABLE, saying what was tried. */
export const discoverKeys = async (issuer: Issuer): Promise<string> => {
  const addresses = metadataAddresses(issuer.issuer)
  for (const address of addresses) {
    try {
      const metadata = await metadataAt(address, issuer)
      if (metadata !== undefined) return metadata.jwks_uri
    } catch (cause) {
      throw unreachable(issuer.issuer, String(cause), cause)
    }
  }
  throw unreachable(issuer.issuer, `no metadata at ${addresses.join(', ')}`)
}

/** Does `attempt`, and for a moment after a failure fails as it did, without another attempt. */
const withPauses = <Arguments extends readonly unknown[], Result>(
  pauseMs: number,
  attempt: (...given: Arguments) => Promise<Result>,
): ((...given: Arguments) => Promise<Result>) => {
  let failed: { readonly error: unknown; readonly at: number } | undefined
  return async (...given) => {
    if (failed !== undefined && Date.now() - failed.at < pauseMs) throw failed.error
    try {
      const result = await attempt(...given)
      failed = undefined
      return result
    } catch (error) {
      failed = { error, at: Date.now() }
      throw error
    }
  }
}

/** The keys of an issuer, as `jose` asks for them; fetched anew when a token names one that is not known. */
export const issuerKeys = (issuer: Issuer): JWTVerifyGetKey => {
  const { pauseMs = defaultPauseMs } = issuer
  const remote = (url: string) =>
    createRemoteJWKSet(new URL(url), {
      cooldownDuration: pauseMs,
      timeoutDuration: timeoutMs,
      [customFetch]: withPauses(pauseMs, async (address, options) => {
        const response = await fetch(address, options)
        if (response.status === 200) return bounded(response)
        await response.body?.cancel()
        throw new Error(`${address} answers ${response.status}`)
      }),
    })
  let finding: Promise<ReturnType<typeof remote>> | undefined
  let renewing: Promise<void> | undefined
  const find = withPauses(pauseMs, async () => remote(issuer.jwks ?? (await discoverKeys(issuer))))
  return async (header, token) => {
    finding ??= find()
    const keys = await finding.catch((error: unknown) => {
      finding = undefined
      throw error
    })
    const wasJustFetched = keys.coolingDown
    try {
      return await keys(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !wasJustFetched) throw error
    }
    // All that wait meanwhile are served by the same answer.
    renewing ??= pause(pauseMs)
      .then(() => keys.reload())
      .finally(() => {
        renewing = undefined
      })
    await renewing
    return keys(header, token)
  }
}
