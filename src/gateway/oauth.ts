/**
 * The gateway as a resource server of OAuth 2.1, as MCP has it: tokens are JWTs of one authorisation server, checked
 * against its published keys, and only those that were issued for this very resource count. The gateway issues nothing
 * and hands no token on.
 */
import { createHash } from 'node:crypto'
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import type { Authority, Grant } from './authority.ts'

export interface OAuthOptions {
  /** The authorisation server, as its tokens name it (`iss`). */
  readonly issuer: string
  /** Where its keys are published. */
  readonly jwks: string
  /** The URL under which hosts reach this gateway, `/mcp` included: the audience that tokens must name. */
  readonly resource: string
  /** A scope that tokens must have. */
  readonly scope?: string
}

/** Path at which a resource's metadata lies, after its host (RFC 9728 §3.1). */
export const metadataPath = '/.well-known/oauth-protected-resource'

/** Signatures that only the holder of a private key can make: with a shared secret, we could issue tokens ourselves. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/** What is wrong with the token, rather than with reaching the keys. */
const isBadToken = (error: unknown): boolean =>
  [
    errors.JWTClaimValidationFailed,
    errors.JWTExpired,
    errors.JWTInvalid,
    errors.JWSInvalid,
    errors.JWSSignatureVerificationFailed,
    errors.JOSEAlgNotAllowed,
    errors.JOSENotSupported,
    errors.JWKSNoMatchingKey,
    errors.JWKSMultipleMatchingKeys,
  ].some((kind) => error instanceof kind)

const scopesOf = ({ scope, scp }: JWTPayload): readonly unknown[] => {
  if (typeof scope === 'string') return scope.split(' ')
  // Some servers say `scp`, as a list or as a text.
  if (typeof scp === 'string') return scp.split(' ')
  return Array.isArray(scp) ? scp : []
}

/** Who the token was issued to: the same client after its token was renewed. */
const clientNamed = ({ iss, sub, client_id }: JWTPayload): string =>
  `oauth-${createHash('sha256')
    .update(JSON.stringify([iss, sub, client_id]))
    .digest('hex')
    .slice(0, 8)}`

export class OAuthAuthority implements Authority {
  readonly #options: OAuthOptions
  readonly #keys: JWTVerifyGetKey

  constructor(options: OAuthOptions) {
    this.#options = options
    this.#keys = createRemoteJWKSet(new URL(options.jwks))
  }

  /** Rejects where the keys cannot be fetched: then nothing is known of the token. */
  async grantOf(token: string): Promise<Grant | undefined> {
    const { issuer, resource: audience, scope } = this.#options
    try {
      const requiredClaims = ['exp', 'sub']
      const { payload } = await jwtVerify(token, this.#keys, { issuer, audience, algorithms, requiredClaims })
      return {
        client: clientNamed(payload),
        ...(payload.exp === undefined ? {} : { expiresAt: payload.exp * 1000 }),
        ...(scope === undefined || scopesOf(payload).includes(scope) ? {} : { lacks: scope }),
      }
    } catch (error) {
      if (isBadToken(error)) return undefined
      throw error
    }
  }

  /** Tokens end by themselves; nobody tells a resource server that one was revoked. */
  onRevoked(): () => void {
    return () => undefined
  }

  get challenge(): string {
    const { resource, scope } = this.#options
    const { origin, pathname } = new URL(resource)
    const parameters = [`resource_metadata="${origin}${metadataPath}${pathname === '/' ? '' : pathname}"`]
    return [...parameters, ...(scope === undefined ? [] : [`scope="${scope}"`])].join(', ')
  }

  get metadata(): Readonly<Record<string, unknown>> {
    const { resource, issuer, scope } = this.#options
    return {
      resource,
      resource_name: 'Stichtag',
      authorization_servers: [issuer],
      bearer_methods_supported: ['header'],
      ...(scope === undefined ? {} : { scopes_supported: [scope] }),
    }
  }
}
