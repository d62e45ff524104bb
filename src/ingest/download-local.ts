/** A delivery that is already on this machine: hashed where it lies, never copied. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { StichtagError } from '../errors.ts'
import { unpackedMembers } from '../formats/inputs.ts'

export interface HashOptions {
  readonly signal: AbortSignal
  readonly onProgress?: ((progress: { readonly bytes: number; readonly total: number }) => void) | undefined
}

/** Size and SHA-256 of a file. @throws FILE_NOT_FOUND */
export const hashLocalFile = async (
  path: string,
  { signal, onProgress }: HashOptions,
): Promise<{ readonly bytes: number; readonly sha256: string }> => {
  const hash = createHash('sha256')
  let bytes = 0
  try {
    const { size: total } = await stat(path)
    for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024, signal })) {
      hash.update(chunk)
      bytes += chunk.length
      onProgress?.({ bytes, total })
    }
  } catch (error) {
    signal.throwIfAborted()
    throw new StichtagError('FILE_NOT_FOUND', `${path} cannot be read (${String(error)})`, {
      data: { path },
      cause: error,
    })
  }
  return { bytes, sha256: hash.digest('hex') }
}

/**
 * Size and SHA-256 of the members of an archive that lie unpacked in a folder: of their names and their own digests; and
 * when the latest of them was written.
 */
export const hashLocalFolder = async (
  folder: string,
  every: readonly string[],
  { signal }: Pick<HashOptions, 'signal'>,
): Promise<{ readonly bytes: number; readonly sha256: string; readonly modifiedMs: number }> => {
  const hash = createHash('sha256')
  let bytes = 0
  let modifiedMs = 0
  for (const name of await unpackedMembers(folder, { every })) {
    const file = await hashLocalFile(join(folder, name), { signal })
    hash.update(`${name}\0${file.sha256}\n`)
    bytes += file.bytes
    modifiedMs = Math.max(modifiedMs, (await stat(join(folder, name))).mtimeMs)
  }
  return { bytes, sha256: hash.digest('hex'), modifiedMs }
}

/** What is known of a local file, and what an index says of it. */
export interface LocalFileFacts {
  readonly name: string
  readonly bytes: number
  readonly sha256: string
  readonly expectedBytes?: number | undefined
  readonly expectedSha1?: string | undefined
  readonly expectedSha256?: string | undefined
}

/** Refuses a local file that is another one than the index beside it says. @throws NOT_WHAT_IT_SAYS */
export const checkLocalFile = async (path: string, facts: LocalFileFacts): Promise<void> => {
  const { name, bytes, sha256, expectedBytes, expectedSha1, expectedSha256 } = facts
  const isNot = (what: string): StichtagError =>
    new StichtagError('NOT_WHAT_IT_SAYS', `${name}: ${what}, says the publisher's index beside it; it was not read`, {
      data: { file: name, path },
    })
  if (expectedBytes !== undefined && bytes !== expectedBytes) {
    throw isNot(`it has ${bytes} bytes and should have ${expectedBytes}`)
  }
  if (expectedSha256 !== undefined && sha256 !== expectedSha256) throw isNot(`its SHA-256 is not ${expectedSha256}`)
  if (expectedSha1 === undefined) return
  const hash = createHash('sha1')
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(chunk)
  if (hash.digest('hex') !== expectedSha1) throw isNot(`its SHA-1 is not ${expectedSha1}`)
}
