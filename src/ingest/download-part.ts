/**
 * The part of a download that has arrived: `<name>.part`, and beside it `<name>.part.json` with the URL and validators
 * it belongs to. Only a part with a validator can be continued: without one nobody can say whether the rest that a
 * server sends is of the same file.
 */
import { createHash, type Hash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StichtagError } from '../errors.ts'
import { headBytes, looksLikeHtml } from '../formats/magic.ts'
import { makeFolder, storeError, syncFolder, writeFileDurably } from '../store/durable.ts'
import { refuseLinks } from '../store/no-links.ts'
import { descriptionPath, type PartDescription, readDescription, validatorOf } from './part-description.ts'
import { shownUrl } from './shown-url.ts'

/** Appends, and follows no link: one that is put there between the check and the opening fails. */
const appending = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | constants.O_NOFOLLOW

/** Given back of a part that a later run continues, where the disk is full: small writes must go on. */
const givenBackBytes = 8 * 1024 * 1024

/** What a finished file is checked by. */
export interface PartExpectations {
  readonly expectedBytes?: number | undefined
  readonly expectedSha1?: string | undefined
  readonly expectedSha256?: string | undefined
  readonly mayBeHtml?: boolean | undefined
}

export interface FinishedPart {
  readonly bytes: number
  readonly sha256: string
  readonly etag?: string
  readonly lastModified?: string
  readonly resumed: boolean
}

export class DownloadPart {
  readonly #name: string
  readonly #path: string
  readonly #url: string
  #file: FileHandle | undefined
  #hash: Hash = createHash('sha256')
  #description: PartDescription
  #resumed = false
  /** Bytes that are there. */
  bytes = 0

  private constructor(path: string, name: string, url: string, file: FileHandle, description: PartDescription) {
    this.#path = path
    this.#name = name
    this.#url = url
    this.#file = file
    this.#description = description
  }

  /** Opens the part of this file that an earlier run left, or an empty one. @throws STORE_UNWRITABLE */
  static async open(
    { folder, name, url }: { readonly folder: string; readonly name: string; readonly url: string },
    signal: AbortSignal,
  ): Promise<DownloadPart> {
    const path = join(folder, `${name}.part`)
    // Kept beside the part, for people to read: without credentials.
    const shown = shownUrl(url)
    try {
      makeFolder(folder)
      refuseLinks(folder, path)
      const description = readDescription(path)
      const part = new DownloadPart(
        path,
        name,
        shown,
        await open(path, appending, 0o644),
        description ?? { url: shown },
      )
      if (description?.url !== shown || validatorOf(description) === undefined) await part.reset()
      else await part.#hashWhatIsThere(signal)
      return part
    } catch (error) {
      throw storeError(error, path)
    }
  }

  async #hashWhatIsThere(signal: AbortSignal): Promise<void> {
    for await (const chunk of createReadStream(this.#path, { highWaterMark: 1024 * 1024, signal })) {
      this.#hash.update(chunk)
      this.bytes += chunk.length
    }
  }

  /** Name of the file. */
  get name(): string {
    return this.#name
  }

  /** Size of the whole file, where the server said it. */
  get total(): number | undefined {
    return this.#description.total
  }

  get etag(): string | undefined {
    return this.#description.etag
  }

  /**
   * Where the rest is asked for from. A run can die between the last byte and the file's name: then all is there, no
   * rest can be asked for, and the last byte again tells that the source still has this file.
   */
  get restFrom(): number {
    return this.bytes > 0 && this.bytes === this.total ? this.bytes - 1 : this.bytes
  }

  /** Headers that ask for the rest; none where nothing is there to be continued. */
  rangeHeaders(): Readonly<Record<string, string>> {
    const validator = validatorOf(this.#description)
    if (this.bytes === 0 || validator === undefined) return {}
    return { range: `bytes=${this.restFrom}-`, 'if-range': validator }
  }

  /** Starts from nothing a file of which the server says this. */
  async begin(description: Omit<PartDescription, 'url'>): Promise<void> {
    await this.reset()
    this.#description = { url: this.#url, ...description }
    writeFileDurably(descriptionPath(this.#path), JSON.stringify(this.#description))
  }

  /** Notes that what follows continues what is there. */
  resume(): void {
    this.#resumed = true
  }

  async write(chunk: Uint8Array): Promise<void> {
    try {
      await this.#handle.appendFile(chunk)
    } catch (error) {
      throw storeError(error, this.#path)
    }
    this.#hash.update(chunk)
    this.bytes += chunk.length
  }

  /** Forgets what is there. */
  async reset(): Promise<void> {
    try {
      if ((await this.#handle.stat()).size > 0) await this.#handle.truncate(0)
    } catch (error) {
      throw storeError(error, this.#path)
    }
    this.#hash = createHash('sha256')
    this.#description = { url: this.#url }
    this.#resumed = false
    this.bytes = 0
  }

  /**
   * Ends a transfer that no further attempt can mend, and says in words what became of what had come. Only what has a
   * length and a validator is kept: of anything else nobody knows whether it ends, or what the rest would be of. Where
   * the disk is full, the last of it is given back.
   */
  async giveUp({
    isWanted,
    isDiskFull,
  }: {
    readonly isWanted: boolean
    readonly isDiskFull: boolean
  }): Promise<string> {
    if (this.bytes === 0) return 'Nothing of it was kept.'
    const isContinued = isWanted && this.total !== undefined && validatorOf(this.#description) !== undefined
    const kept = isDiskFull ? this.bytes - givenBackBytes : this.bytes
    if (!isContinued || kept <= 0) {
      await this.reset()
      return `What had come was removed${isContinued ? ' to make room' : ', as it cannot be continued'}.`
    }
    if (isDiskFull) await this.#handle.truncate(kept)
    return `What had come is kept in ${this.#path}, and the next run goes on from there.`
  }

  /**
   * Checks the whole file and gives it its name, over an earlier one of that name. What does not pass is removed.
   *
   * @throws NOT_WHAT_IT_SAYS, DATA_CORRUPT, STORE_UNWRITABLE
   */
  async finish(path: string, expected: PartExpectations): Promise<FinishedPart> {
    const sha256 = this.#hash.digest('hex')
    const fault = await this.#fault(expected, sha256)
    if (fault !== undefined) {
      await this.close()
      await this.#remove()
      throw fault
    }
    try {
      await this.#handle.sync()
      await this.close()
      await rename(this.#path, path)
      await rm(descriptionPath(this.#path), { force: true })
      syncFolder(dirname(path))
    } catch (error) {
      throw storeError(error, path)
    }
    const { etag, lastModified } = this.#description
    return {
      bytes: this.bytes,
      sha256,
      ...(etag === undefined ? {} : { etag }),
      ...(lastModified === undefined ? {} : { lastModified }),
      resumed: this.#resumed,
    }
  }

  async #fault(
    { expectedBytes, expectedSha1, expectedSha256, mayBeHtml }: PartExpectations,
    sha256: string,
  ): Promise<StichtagError | undefined> {
    const data = { file: this.#name, url: this.#url }
    if (this.bytes === 0) return new StichtagError('NOT_WHAT_IT_SAYS', `${this.#name}: empty file received`, { data })
    if (expectedBytes !== undefined && this.bytes !== expectedBytes) {
      const message = `${this.#name}: ${this.bytes} bytes received, but the publisher's index says ${expectedBytes}`
      return new StichtagError('DATA_CORRUPT', message, { data })
    }
    for (const [name, expected, found] of [
      ['SHA-256', expectedSha256, () => sha256],
      ['SHA-1', expectedSha1, () => this.#sha1()],
    ] as const) {
      if (expected === undefined || (await found()) === expected) continue
      const message = `${this.#name}: its ${name} is not the ${expected} that the publisher's index says`
      return new StichtagError('NOT_WHAT_IT_SAYS', message, { data })
    }
    const head = Buffer.alloc(headBytes)
    const reading = await open(this.#path)
    try {
      const { bytesRead } = await reading.read(head, 0, headBytes, 0)
      const isHtml = looksLikeHtml(head.subarray(0, bytesRead))
      if (!isHtml || mayBeHtml === true) return undefined
      return new StichtagError('NOT_WHAT_IT_SAYS', `${this.#name}: HTML received instead of data`, { data })
    } finally {
      await reading.close()
    }
  }

  async #sha1(): Promise<string> {
    const hash = createHash('sha1')
    for await (const chunk of createReadStream(this.#path, { highWaterMark: 1024 * 1024 })) hash.update(chunk)
    return hash.digest('hex')
  }

  get #handle(): FileHandle {
    if (this.#file === undefined) throw new StichtagError('INTERNAL', `${this.#path} is closed`)
    return this.#file
  }

  /** Closes the file. What is there stays for the next run; an empty part is nothing to go on from. */
  async close(): Promise<void> {
    const file = this.#file
    if (file === undefined) return
    this.#file = undefined
    await file.close()
    if (this.bytes === 0) await this.#remove()
  }

  async #remove(): Promise<void> {
    await rm(this.#path, { force: true })
    await rm(descriptionPath(this.#path), { force: true })
  }
}
