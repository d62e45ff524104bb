/**
 * Who may reach a gateway, decided before it listens. On loopback only this machine can, and nobody needs a token unless
 * one is asked for; everywhere else somebody has to have said how: a token file, or that it is open on purpose.
 */
import { StichtagError } from '../errors.ts'
import { isLoopback } from './http-guard.ts'
import type { RateLimit } from './rate-limit.ts'

/** What was said about access. */
export interface AccessWishes {
  /** Address to listen on. */
  readonly host: string
  readonly tokenFile?: string
  /** Whether tokens of an authorisation server are asked for. */
  readonly oauth?: boolean
  /** That anybody who reaches the address may ask. */
  readonly open?: boolean
  /** Requests a second and client; 0 for no limit. */
  readonly rateLimit?: number
}

export interface Access {
  /** Whether a token is required, and from which file. */
  readonly tokenFile?: string
  readonly rateLimit?: RateLimit
}

/** Requests a second for each client where others than this machine may ask, unless said. */
export const remoteRateLimit = 100

/** Decides. Throws USAGE where an address beyond loopback has none of token file, OAuth and `--open`, or more than one. */
export const accessOf = ({ host, tokenFile, oauth, open, rateLimit }: AccessWishes): Access => {
  const ways = [tokenFile !== undefined, oauth === true, open === true].filter(Boolean).length
  if (ways > 1) {
    throw new StichtagError(
      'USAGE',
      '--token-file, --oauth-issuer and --open exclude each other: say one way to get in',
    )
  }
  if (!isLoopback(host) && ways === 0) {
    throw new StichtagError(
      'USAGE',
      `${host} can be reached from other machines. Say who may ask: --token-file FILE for those who have a token, ` +
        '--oauth-issuer URL for those with a token of that server, or --open for everybody.',
    )
  }
  const perSecond = rateLimit ?? (isLoopback(host) ? 0 : remoteRateLimit)
  return {
    ...(tokenFile === undefined ? {} : { tokenFile }),
    ...(perSecond === 0 ? {} : { rateLimit: { perSecond } }),
  }
}
