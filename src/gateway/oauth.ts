/**
 * The gateway as a resource server of OAuth 2.1, as MCP has it: tokens are JWTs of one authorisation server, checked
 * against its published keys, and only those that were issued for this very resource count. The gateway issues nothing
 * and hands no token on.
 */
import { createHash } from 'node:crypto'
import { errors, type JWTPayload, type JWTVerifyGetKey, type JWTVerifyOptions, jwtVerify } from 'jose'
import { StichtagError } from '../errors.ts'
import { type Authority, type Grant, metadataPath } from './authority.ts'
import { datasetsIn, scopeOf } from './dataset-scope.ts'
import { type Issuer, issuerKeys } from './issuer-keys.ts'

/** The issuer is the authorisation server, as its tokens name it (`iss`). */
export interface OAuthOptions extends Issuer {
  /** The URL under which hosts reach this gateway, `/mcp` included: the audience that tokens must name. */
  readonly resource: string
  /** A scope that tokens must have. */
  readonly scope?: string
  /**
   * The scope that a token must have for a dataset, with `{dataset}` in place of the dataset's id: `data:{dataset}`. With
   * `*` in that place a scope is for all of them. Without this, every good token is.
   */
  readonly datasetScope?: string
}

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

const named = (...claims: readonly unknown[]): string =>
  `oauth-${createHash('sha256').update(JSON.stringify(claims)).digest('hex').slice(0, 8)}`

/** Who the token was issued to: the same client after its token was renewed. */
const clientNamed = ({ iss, sub, client_id }: JWTPayload): string => named(iss, sub, client_id)

/** For whom: whoever may register clients at the issuer has as many as they like. */
const subjectNamed = ({ iss, sub }: JWTPayload): string => named(iss, sub)

export class OAuthAuthority implements Authority {
  readonly tellsLackingDatasets = true
  readonly #options: OAuthOptions
  readonly #keys: JWTVerifyGetKey

  constructor(options: OAuthOptions) {
    this.#options = options
    this.#keys = issuerKeys(options)
  }

  /** Rejects with SOURCE_UNREACHABLE where the keys cannot be had: then nothing is known of the token. */
  async grantOf(token: string): Promise<Grant | undefined> {
    const { issuer } = this.#options
    try {
      const payload = await this.#verified(token)
      return {
        client: clientNamed(payload),
        subject: subjectNamed(payload),
        ...(payload.exp === undefined ? {} : { expiresAt: payload.exp * 1000 }),
        ...this.#reachOf(scopesOf(payload)),
      }
    } catch (error) {
      if (isBadToken(error)) return undefined
      if (error instanceof StichtagError) throw error
      throw new StichtagError('SOURCE_UNREACHABLE', `The keys of ${issuer} cannot be had: ${String(error)}`, {
        cause: error,
      })
    }
  }

  /** What a token says. A token need not say which of the issuer's keys signed it: then any of the fitting ones may have. */
  async #verified(token: string): Promise<JWTPayload> {
    const { issuer, resource: audience } = this.#options
    const wanted: JWTVerifyOptions = { issuer, audience, algorithms, requiredClaims: ['exp', 'sub'] }
    try {
      return (await jwtVerify(token, this.#keys, wanted)).payload
    } catch (several) {
      if (!(several instanceof errors.JWKSMultipleMatchingKeys)) throw several
      for await (const key of several) {
        try {
          return (await jwtVerify(token, key, wanted)).payload
        } catch (error) {
          if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error
        }
      }
      throw new errors.JWSSignatureVerificationFailed()
    }
  }

  /** Tokens end by themselves; nobody tells a resource server that one was revoked. */
  onRevoked(): () => void {
    return () => undefined
  }

  challenge(datasets: readonly string[]): string {
    const { origin, pathname } = new URL(this.#options.resource)
    const scopes = this.#scopes(datasets)
    const parameters = [`resource_metadata="${origin}${metadataPath}${pathname === '/' ? '' : pathname}"`]
    return [...parameters, ...(scopes.length === 0 ? [] : [`scope="${scopes.join(' ')}"`])].join(', ')
  }

  metadata(datasets: readonly string[]): Readonly<Record<string, unknown>> {
    const { resource, issuer } = this.#options
    const scopes = this.#scopes(datasets)
    return {
      resource,
      resource_name: 'Stichtag',
      authorization_servers: [issuer],
      bearer_methods_supported: ['header'],
      ...(scopes.length === 0 ? {} : { scopes_supported: scopes }),
    }
  }

  #reachOf(scopes: readonly unknown[]): Pick<Grant, 'lacks' | 'datasets'> {
    const { scope, datasetScope } = this.#options
    if (scope !== undefined && !scopes.includes(scope)) return { lacks: scope }
    if (datasetScope === undefined) return {}
    const datasets = datasetsIn(scopes, datasetScope, scope)
    return datasets === undefined ? {} : { datasets }
  }

  /** What a token needs for these datasets. */
  #scopes(datasets: readonly string[]): readonly string[] {
    const { scope, datasetScope } = this.#options
    const ofDatasets = datasetScope === undefined ? [] : datasets.map((dataset) => scopeOf(dataset, datasetScope))
    return [...new Set([...(scope === undefined ? [] : [scope]), ...ofDatasets])]
  }
}
