/** Who decides whether somebody may ask: the seam behind which tokens come from a file, or from an authorisation server. */

/** What a token lets its bearer do. */
export interface Grant {
  /** The client it belongs to, by a name that gives nothing of the token away. */
  readonly client: string
  /** Whom its client acts for, where that is somebody who can have several clients; else the client itself. */
  readonly subject?: string
  /** Milliseconds since 1970 after which it is good no more; what it opened ends then. */
  readonly expiresAt?: number
  /** A scope that is needed and that it does not have. */
  readonly lacks?: string
  /** The only datasets that its bearer is shown, whether they are there or not; all without it. */
  readonly datasets?: readonly string[]
}

/** Reads the credentials of requests. */
export interface Authority {
  /** What a bearer token is good for; undefined for one that is not. */
  grantOf(token: string): Promise<Grant | undefined>
  /** Calls back with each client that may ask no more; returns how to stop. */
  onRevoked(listener: (client: string) => void): () => void
  /** Further parameters of the challenge, which say where a token for these datasets is to be had. */
  challenge?(datasets: readonly string[]): string
  /** The resource's metadata (RFC 9728), for hosts that get a token for these datasets by themselves. */
  metadata?(datasets: readonly string[]): Readonly<Record<string, unknown>>
  /** Whether whoever lacks a dataset is told so, and by which scope it is to be had; else it reads as not found. */
  readonly tellsLackingDatasets?: boolean
}

/** Path at which a resource's metadata lies, after its host (RFC 9728 §3.1). */
export const metadataPath = '/.well-known/oauth-protected-resource'

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

/** The WWW-Authenticate header (RFC 6750 §3) of a gateway that has these datasets. */
const challengeOf = (authority: Authority, datasets: readonly string[], error?: string, why?: string): string =>
  [
    'Bearer realm="stichtag"',
    ...(authority.challenge === undefined ? [] : [authority.challenge(datasets)]),
    ...(error === undefined ? [] : [`error="${error}"`, `error_description="${why}"`]),
  ].join(', ')

type Refused = Extract<Authorisation, { kind: 'refused' }>

/** Whether the one who sent this Authorization header may ask a gateway that has these datasets. */
export const authorisationOf = async (
  header: string | undefined,
  authority: Authority,
  datasets: readonly string[] = [],
): Promise<Authorisation> => {
  const refused = (status: 401 | 403, message: string, error?: string): Refused => ({
    kind: 'refused',
    status,
    message,
    challenge: challengeOf(authority, datasets, error, message),
  })
  const token = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1]
  if (token === undefined) {
    return refused(401, 'This gateway asks for a token: send it as Authorization: Bearer <token>.')
  }
  const grant = await authority.grantOf(token)
  if (grant === undefined) return refused(401, 'This token is not valid (any more).', 'invalid_token')
  if (grant.lacks !== undefined) return refused(403, `This token lacks the scope ${grant.lacks}.`, 'insufficient_scope')
  if (authority.tellsLackingDatasets === true && reachesNothing(grant, datasets)) {
    return refused(403, `This token reaches no dataset here. ${thoseOf(datasets)}`, 'insufficient_scope')
  }
  return { kind: 'granted', grant }
}

/** Whether a token is for certain datasets, none of which is there. */
const reachesNothing = ({ datasets: granted }: Grant, datasets: readonly string[]): boolean =>
  granted !== undefined && !granted.some((dataset) => datasets.length === 0 || datasets.includes(dataset))

/** Datasets that a message names; the challenge has the scopes of all. */
const mostNamed = 5

const thoseOf = (datasets: readonly string[]): string => {
  if (datasets.length === 0) return 'There is none yet.'
  const rest = datasets.length - mostNamed
  return `There are: ${datasets.slice(0, mostNamed).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`
}

/**
 * What somebody gets who asks for a dataset that is there and not granted: a challenge that names the scopes to come back
 * with, those that are had already included, so that nothing is lost by asking for more.
 */
export const lackingDataset = (authority: Authority, granted: readonly string[], dataset: string): Refused => {
  const message = `This token does not reach the dataset ${dataset}.`
  const challenge = challengeOf(authority, [...new Set([...granted, dataset])], 'insufficient_scope', message)
  return { kind: 'refused', status: 403, message, challenge }
}
