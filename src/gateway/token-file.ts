/**
 * Bearer tokens from a file: one a line, `#` begins a comment. A token that is followed by `datasets=a,b` is good for these
 * alone, whether they are there yet or not. The file is read again when it changes, so that tokens
 * are rotated without a restart: add the new one, move the hosts over, take the old one out. It is looked at before each
 * request and every second, because a stream that was opened with a token must end when the token is gone.
 *
 * A file that is gone, holds no token or has a line that is none lets nobody in until it is mended: whoever takes a file
 * away means that.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { StichtagError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Authority, Grant } from './authority.ts'
import { stampOf } from './file-stamp.ts'

const lookEveryMs = 1000

/** What RFC 6750 §2.1 lets a header carry. */
const tokenPattern = /^[A-Za-z0-9\-._~+/]+=*$/

/** One line of the file. */
export interface TokenLine {
  readonly token: string
  /** The only datasets that it is good for; all without it. */
  readonly datasets?: readonly string[]
}

const datasetsPattern = /^datasets=([a-z][a-z0-9-]*(?:,[a-z][a-z0-9-]*)*)$/

const tokenLine = (text: string): TokenLine | undefined => {
  const [token = '', limit, ...rest] = text.split(/\s+/)
  if (!tokenPattern.test(token) || rest.length > 0) return undefined
  if (limit === undefined) return { token }
  const named = datasetsPattern.exec(limit)?.[1]
  return named === undefined ? undefined : { token, datasets: named.split(',') }
}

/**
 * The tokens in a file's text.
 * @throws USAGE for a file without tokens, for a line that is none, and for a token that is there twice; the message never
 * shows the line.
 */
export const parseTokens = (text: string, path: string): readonly TokenLine[] => {
  const lines = text.split('\n').map((line, index) => ({ number: index + 1, text: line.replace(/#.*/, '').trim() }))
  const tokens = new Map<string, TokenLine>()
  for (const line of lines.filter((each) => each.text !== '')) {
    const parsed = tokenLine(line.text)
    if (parsed === undefined) {
      const allowed = 'one token a line, of letters, digits and -._~+/, then datasets=a,b if it is for these alone'
      throw new StichtagError('USAGE', `${path}, line ${line.number}: not a token. Expected is ${allowed}.`)
    }
    if (tokens.has(parsed.token)) {
      throw new StichtagError('USAGE', `${path}, line ${line.number}: this token is there already. Say it once.`)
    }
    tokens.set(parsed.token, parsed)
  }
  if (tokens.size === 0) throw new StichtagError('USAGE', `${path}: there is no token in it.`)
  return [...tokens.values()]
}

const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest()

interface Known {
  readonly grant: Grant
  readonly digest: Buffer
}

const knownOf = ({ token, datasets }: TokenLine): Known => {
  const digest = digestOf(token)
  const client = `token-${digest.toString('hex').slice(0, 8)}`
  return { grant: { client, ...(datasets === undefined ? {} : { datasets }) }, digest }
}

/** Differs when the client may see something else. */
const reachOf = ({ grant: { client, datasets } }: Known): string => JSON.stringify([client, datasets])

export class TokenFile implements Authority {
  readonly #path: string
  readonly #log: Log
  readonly #listeners = new Set<(client: string) => void>()
  readonly #looking: NodeJS.Timeout
  #known: readonly Known[]
  /** What the file looked like from outside when it was read. */
  #stamp: string

  /** Reads the file. Throws FILE_NOT_FOUND where it is not there, and as {@link parseTokens} does. */
  constructor(path: string, log: Log) {
    this.#path = path
    this.#log = log
    this.#stamp = stampOf(path)
    this.#known = this.#read()
    this.#looking = setInterval(() => this.#look(), lookEveryMs)
    this.#looking.unref()
  }

  async grantOf(token: string): Promise<Grant | undefined> {
    this.#look()
    const digest = digestOf(token)
    // All are compared, each in constant time, so that neither the place nor the beginning of a token can be timed.
    const [known] = this.#known.filter((each) => timingSafeEqual(each.digest, digest))
    return known?.grant
  }

  onRevoked(listener: (client: string) => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  close(): void {
    clearInterval(this.#looking)
    this.#listeners.clear()
  }

  #look(): void {
    const stamp = stampOf(this.#path)
    if (stamp === this.#stamp) return
    this.#stamp = stamp
    const before = this.#known
    this.#known = this.#readAnew()
    const now = new Set(this.#known.map(reachOf))
    for (const known of before.filter((each) => !now.has(reachOf(each)))) {
      for (const listener of this.#listeners) listener(known.grant.client)
    }
  }

  #readAnew(): readonly Known[] {
    try {
      const known = this.#read()
      this.#log.info({ clients: known.map(({ grant }) => grant) }, 'the token file changed')
      return known
    } catch (error) {
      this.#log.error({ err: error }, 'the token file cannot be used: nobody is let in until it is mended')
      return []
    }
  }

  #read(): readonly Known[] {
    let text: string
    try {
      text = readFileSync(this.#path, 'utf8')
    } catch (cause) {
      throw new StichtagError('FILE_NOT_FOUND', `The token file cannot be read: ${String(cause)}`, { cause })
    }
    return parseTokens(text, this.#path).map(knownOf)
  }
}
