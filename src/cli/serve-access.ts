/** What `serve` is told about who may ask over HTTP, read and checked before anything is started. */
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { StichtagError } from '../errors.ts'
import { accessOf } from '../gateway/access.ts'
import type { Authority } from '../gateway/authority.ts'
import type { HttpOptions } from '../gateway/http-options.ts'
import { OAuthAuthority, type OAuthOptions } from '../gateway/oauth.ts'
import { TokenFile } from '../gateway/token-file.ts'
import type { Log } from '../log.ts'

export interface AccessFlags {
  readonly tokenFile?: string
  readonly oauthIssuer?: string
  readonly oauthJwks?: string
  readonly oauthResource?: string
  readonly oauthScope?: string
  readonly open?: boolean
  readonly allowHost?: readonly string[]
  readonly allowOrigin?: readonly string[]
  readonly rateLimit?: number
  readonly tlsCert?: string
  readonly tlsKey?: string
}

export interface HttpAccess {
  readonly tokenFile?: string
  readonly oauth?: OAuthOptions
  readonly options: Pick<HttpOptions, 'allowedHosts' | 'allowedOrigins' | 'rateLimit' | 'tls'>
}

/** What the flags come to for a gateway on `host`. Throws USAGE where they contradict each other or leave it open. */
export const httpAccess = (flags: AccessFlags, host: string): HttpAccess => {
  const oauth = oauthOf(flags)
  const { tokenFile, rateLimit } = accessOf({
    host,
    oauth: oauth !== undefined,
    ...(flags.tokenFile === undefined ? {} : { tokenFile: flags.tokenFile }),
    ...(flags.open === undefined ? {} : { open: flags.open }),
    ...(flags.rateLimit === undefined ? {} : { rateLimit: flags.rateLimit }),
  })
  const tls = tlsOf(flags)
  return {
    ...(tokenFile === undefined ? {} : { tokenFile }),
    ...(oauth === undefined ? {} : { oauth }),
    options: {
      allowedHosts: namesIn('--allow-host', flags.allowHost),
      allowedOrigins: namesIn('--allow-origin', flags.allowOrigin),
      ...(rateLimit === undefined ? {} : { rateLimit }),
      ...(tls === undefined ? {} : { tls }),
    },
  }
}

/** Throws USAGE where there is a flag that only means something over HTTP. */
export const noAccessFlags = (flags: AccessFlags): void => {
  const given = {
    '--token-file': flags.tokenFile,
    '--oauth-issuer': flags.oauthIssuer,
    '--oauth-jwks': flags.oauthJwks,
    '--oauth-resource': flags.oauthResource,
    '--oauth-scope': flags.oauthScope,
    '--open': flags.open,
    '--allow-host': flags.allowHost,
    '--allow-origin': flags.allowOrigin,
    '--rate-limit': flags.rateLimit,
    '--tls-cert': flags.tlsCert,
    '--tls-key': flags.tlsKey,
  }
  const [flag] = Object.entries(given).find(([, value]) => value !== undefined) ?? []
  if (flag !== undefined) throw new StichtagError('USAGE', `${flag} goes with --http: over stdio only one host can ask`)
}

/** Who decides on tokens, where tokens are required, and how to close it at the end. */
export const openAuthority = (
  access: HttpAccess | undefined,
  log: Log,
): { readonly authority: Authority; close(): void } | undefined => {
  if (access?.oauth !== undefined) return { authority: new OAuthAuthority(access.oauth), close: () => undefined }
  if (access?.tokenFile === undefined) return undefined
  const file = new TokenFile(access.tokenFile, log)
  return { authority: file, close: () => file.close() }
}

const oauthOf = (flags: AccessFlags): OAuthOptions | undefined => {
  const { oauthIssuer: issuer, oauthJwks: jwks, oauthResource: resource, oauthScope: scope } = flags
  if (issuer === undefined && jwks === undefined && resource === undefined && scope === undefined) return undefined
  if (issuer === undefined || jwks === undefined || resource === undefined) {
    throw new StichtagError('USAGE', '--oauth-issuer, --oauth-jwks and --oauth-resource go together')
  }
  for (const url of [issuer, jwks, resource]) {
    if (!URL.canParse(url)) throw new StichtagError('USAGE', `${url}: not a URL`)
  }
  return { issuer, jwks, resource, ...(scope === undefined ? {} : { scope }) }
}

/** Host names, from names, names with a port, or whole origins. */
const namesIn = (flag: string, given: readonly string[] = []): string[] =>
  given.map((text) => {
    const url = text.includes('://') ? text : `http://${text}`
    if (!URL.canParse(url)) throw new StichtagError('USAGE', `${flag} ${text}: not a host name`)
    return new URL(url).hostname
  })

const tlsOf = ({ tlsCert, tlsKey }: AccessFlags): HttpOptions['tls'] => {
  if (tlsCert === undefined && tlsKey === undefined) return undefined
  if (tlsCert === undefined || tlsKey === undefined) {
    throw new StichtagError('USAGE', '--tls-cert and --tls-key go together')
  }
  const tls = { cert: textOf(tlsCert), key: textOf(tlsKey) }
  try {
    createSecureContext(tls)
  } catch (cause) {
    throw new StichtagError('USAGE', `${tlsCert} and ${tlsKey} do not make a certificate: ${String(cause)}`, { cause })
  }
  return tls
}

const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new StichtagError('FILE_NOT_FOUND', `${path} cannot be read: ${String(cause)}`, { cause })
  }
}
