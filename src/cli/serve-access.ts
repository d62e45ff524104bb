/** What `serve` is told about who may ask over HTTP, read and checked before anything is started. */
import { StichtagError } from '../errors.ts'
import { accessOf } from '../gateway/access.ts'
import type { Authority } from '../gateway/authority.ts'
import { isDatasetScope } from '../gateway/dataset-scope.ts'
import type { HttpOptions } from '../gateway/http-options.ts'
import type { OAuthOptions } from '../gateway/oauth.ts'
import { readCertificate, TlsFiles, type TlsPaths } from '../gateway/tls-files.ts'
import { TokenFile } from '../gateway/token-file.ts'
import { isTrustworthy } from '../gateway/trustworthy-url.ts'
import type { Log } from '../log.ts'

export interface AccessFlags {
  readonly tokenFile?: string
  readonly oauthIssuer?: string
  readonly oauthJwks?: string
  readonly oauthResource?: string
  readonly oauthScope?: string
  readonly oauthDatasetScope?: string
  readonly oauthPlainHttp?: boolean
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
  readonly tls?: TlsPaths
  readonly options: Pick<HttpOptions, 'allowedHosts' | 'allowedOrigins' | 'rateLimit'>
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
    ...(tls === undefined ? {} : { tls }),
    options: {
      allowedHosts: namesIn('--allow-host', flags.allowHost),
      allowedOrigins: namesIn('--allow-origin', flags.allowOrigin),
      ...(rateLimit === undefined ? {} : { rateLimit }),
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
    '--oauth-dataset-scope': flags.oauthDatasetScope,
    '--oauth-plain-http': flags.oauthPlainHttp,
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
export const openAuthority = async (
  access: HttpAccess | undefined,
  log: Log,
): Promise<{ readonly authority: Authority; close(): void } | undefined> => {
  if (access?.oauth !== undefined) {
    // What checks signatures takes 30 ms to load, and few gateways need it.
    const { OAuthAuthority } = await import('../gateway/oauth.ts')
    return { authority: new OAuthAuthority(access.oauth), close: () => undefined }
  }
  if (access?.tokenFile === undefined) return undefined
  const file = new TokenFile(access.tokenFile, log)
  return { authority: file, close: () => file.close() }
}

const oauthOf = (flags: AccessFlags): OAuthOptions | undefined => {
  const { oauthIssuer: issuer, oauthJwks: jwks, oauthResource: resource } = flags
  const { oauthScope: scope, oauthDatasetScope: datasetScope } = flags
  if ([issuer, jwks, resource, scope, datasetScope, flags.oauthPlainHttp].every((flag) => flag === undefined))
    return undefined
  if (issuer === undefined || resource === undefined) {
    throw new StichtagError(
      'USAGE',
      '--oauth-issuer and --oauth-resource go together; the other --oauth flags with them',
    )
  }
  const plainHttp = flags.oauthPlainHttp === true
  for (const [flag, url] of Object.entries({
    'oauth-issuer': issuer,
    'oauth-resource': resource,
    'oauth-jwks': jwks,
  })) {
    if (url === undefined) continue
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
      throw new StichtagError('USAGE', `--${flag} ${url}: not a URL of http or https`)
    }
    // What the keys come from decides who gets in, so that nobody on the way may speak for it.
    if (flag !== 'oauth-resource' && !plainHttp && !isTrustworthy(url)) {
      const why = 'whoever is on the way to it could make tokens. Use https, or --oauth-plain-http where that is safe'
      throw new StichtagError('USAGE', `--${flag} ${url}: plain http beyond this machine: ${why}.`)
    }
    // Tokens and metadata name it as it is, and neither may have one (RFC 8707 §2, RFC 9728 §1.2, RFC 8414 §2).
    if (url.includes('#')) throw new StichtagError('USAGE', `--${flag} ${url}: takes a URL without #fragment`)
  }
  if (datasetScope !== undefined && !isDatasetScope(datasetScope)) {
    const words = 'takes a scope with {dataset} in it once, for example data:{dataset}'
    throw new StichtagError('USAGE', `--oauth-dataset-scope ${words}, not ${datasetScope}`)
  }
  return {
    issuer,
    resource,
    ...(jwks === undefined ? {} : { jwks }),
    ...(plainHttp ? { plainHttp } : {}),
    ...(scope === undefined ? {} : { scope }),
    ...(datasetScope === undefined ? {} : { datasetScope }),
  }
}

/** Host names, from names, names with a port, or whole origins. */
const namesIn = (flag: string, given: readonly string[] = []): string[] =>
  given.map((text) => {
    const url = text.includes('://') ? text : `http://${text}`
    if (!URL.canParse(url)) throw new StichtagError('USAGE', `${flag} ${text}: not a host name`)
    return new URL(url).hostname
  })

const tlsOf = ({ tlsCert, tlsKey }: AccessFlags): TlsPaths | undefined => {
  if (tlsCert === undefined && tlsKey === undefined) return undefined
  if (tlsCert === undefined || tlsKey === undefined) {
    throw new StichtagError('USAGE', '--tls-cert and --tls-key go together')
  }
  const paths = { cert: tlsCert, key: tlsKey }
  readCertificate(paths)
  return paths
}

/** The certificate to serve with, where there is one, and how to close it at the end. */
export const openTls = (access: HttpAccess | undefined, log: Log): TlsFiles | undefined =>
  access?.tls === undefined ? undefined : new TlsFiles(access.tls, log)
