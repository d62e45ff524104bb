/** Who decides whether somebody may ask: the seam behind which tokens come from a file, or from an authorisation server. */

/** What a token lets its bearer do. */
export interface Grant {
  /** The client it belongs to, by a name that gives nothing of the token away. */
  readonly client: string
  /** Milliseconds since 1970 after which it is good no more; what it opened ends then. */
  readonly expiresAt?: number
  /** A scope that is needed and that it does not have. */
  readonly lacks?: string
}

/** Reads the credentials of requests. */
export interface Authority {
  /** What a bearer token is good for; undefined for one that is not. */
  grantOf(token: string): Promise<Grant | undefined>
  /** Calls back with each client that may ask no more; returns how to stop. */
  onRevoked(listener: (client: string) => void): () => void
  /** Further parameters of the challenge, which say where a token is to be had. */
  readonly challenge?: string
  /** The resource's metadata (RFC 9728), for hosts that get a token by themselves. */
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** What an Authorization header comes to. */
export type Authorisation =
  | { readonly kind: 'granted'; readonly grant: Grant }
  /** `challenge` is the WWW-Authenticate header that the answer must carry (RFC 6750 §3). */
  | {
      readonly kind: 'refused'
      readonly status: 401 | 403
      readonly challenge: string
      readonly message: string
    }

/** Whether the one who sent this Authorization header may ask. */
export const authorisationOf = async (header: string | undefined, authority: Authority): Promise<Authorisation> => {
  const challenge = ['Bearer realm="stichtag"', ...(authority.challenge === undefined ? [] : [authority.challenge])]
  const refused = (status: 401 | 403, message: string, error?: string): Authorisation => {
    const said = error === undefined ? [] : [`error="${error}"`, `error_description="${message}"`]
    return { kind: 'refused', status, message, challenge: [...challenge, ...said].join(', ') }
  }
  const token = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1]
  if (token === undefined) {
    return refused(401, 'This gateway asks for a token: send it as Authorization: Bearer <token>.')
  }
  const grant = await authority.grantOf(token)
  if (grant === undefined) return refused(401, 'This token is not valid (any more).', 'invalid_token')
  if (grant.lacks !== undefined) return refused(403, `This token lacks the scope ${grant.lacks}.`, 'insufficient_scope')
  return { kind: 'granted', grant }
}
