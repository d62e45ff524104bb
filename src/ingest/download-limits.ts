/** How long a download waits for what. All in milliseconds but `attempts`. */
export interface DownloadLimits {
  /** For a connection, TLS included. */
  readonly connectMs: number
  /** From the request to the first byte of the answer: some publishers generate the file on request. */
  readonly firstByteMs: number
  /** Between two pieces of the body. */
  readonly stallMs: number
  /** In which a source may stay unreachable, over all attempts. */
  readonly unreachableMs: number
  /** Failures in a row; one after which the file has grown does not count the earlier ones. */
  readonly attempts: number
  /** Before the second attempt; doubled before each further one, up to `backoffMaxMs`. */
  readonly backoffMs: number
  readonly backoffMaxMs: number
  /** Longest wait that a server may ask for (Retry-After). */
  readonly retryAfterMs: number
}

const defaultLimits: DownloadLimits = {
  connectMs: 10_000,
  firstByteMs: 600_000,
  stallMs: 60_000,
  unreachableMs: 300_000,
  attempts: 6,
  backoffMs: 2000,
  backoffMaxMs: 60_000,
  retryAfterMs: 300_000,
}

/** The limits with some of them said. One connection is never waited for longer than the source may be unreachable. */
export const limitsWith = (said: Partial<DownloadLimits>): DownloadLimits => {
  const limits = { ...defaultLimits, ...said }
  return { ...limits, connectMs: Math.min(limits.connectMs, limits.unreachableMs) }
}
