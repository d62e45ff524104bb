/** A delivery that is already on this machine: hashed where it lies, never copied. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StichtagError } from '../errors.ts'

/** The local path that a location names; undefined for what HTTP fetches. @throws USAGE for other schemes */
export const localPathOf = (location: string): string | undefined => {
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(location)?.[1]?.toLowerCase()
  switch (scheme) {
    case 'http':
    case 'https':
      return undefined
    case 'file':
      return fileURLToPath(location)
    case undefined:
      return resolve(location)
    default:
      throw new StichtagError('USAGE', `${location}: cannot fetch by ${scheme}, only by http, https or file`)
  }
}

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
