/**
 * Bearer tokens from a file: one a line, `#` begins a comment. The file is read again when it changes, so that tokens
 * are rotated without a restart: add the new one, move the hosts over, take the old one out. It is looked at before each
 * request and every second, because a stream that was opened with a token must end when the token is gone.
 *
 * A file that is gone, holds no token or has a line that is none lets nobody in until it is mended: whoever takes a file
 * away means that.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { StichtagError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Authority, Grant } from './authority.ts'

const lookEveryMs = 1000

/** What RFC 6750 §2.1 lets a header carry. */
const tokenPattern = /^[A-Za-z0-9\-._~+/]+=*$/

/**
 * The tokens in a file's text.
 * @throws USAGE for a file without tokens, and for a line that is none; the message never shows the line.
 */
export const parseTokens = (text: string, path: string): readonly string[] => {
  const lines = text.split('\n').map((line, index) => ({ number: index + 1, token: line.replace(/#.*/, '').trim() }))
  const tokens = lines.filter(({ token }) => token !== '')
  const wrong = tokens.find(({ token }) => !tokenPattern.test(token))
  if (wrong !== undefined) {
    const allowed = 'one token a line, of letters, digits and -._~+/'
    throw new StichtagError('USAGE', `${path}, line ${wrong.number}: not a token. Expected is ${allowed}.`)
  }
  if (tokens.length === 0) throw new StichtagError('USAGE', `${path}: there is no token in it.`)
  return tokens.map(({ token }) => token)
}

const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest()

interface Known {
  readonly client: string
  readonly digest: Buffer
}

const knownOf = (token: string): Known => {
  const digest = digestOf(token)
  return { client: `token-${digest.toString('hex').slice(0, 8)}`, digest }
}

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
    return known === undefined ? undefined : { client: known.client }
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
    const clients = new Set(this.#known.map(({ client }) => client))
    for (const { client } of before) if (!clients.has(client)) for (const listener of this.#listeners) listener(client)
  }

  #readAnew(): readonly Known[] {
    try {
      const known = this.#read()
      this.#log.info({ clients: known.map(({ client }) => client) }, 'the token file changed')
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

/** Differs whenever a file was written, replaced or removed. */
const stampOf = (path: string): string => {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stat === undefined ? 'none' : [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(' ')
}
