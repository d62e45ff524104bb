import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'

/** A folder of the test file's own, removed afterwards; gives a function that writes a file into it. */
export const temporaryFiles = (): ((name: string, content: string | Uint8Array) => Promise<string>) => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stichtag-formats-'))
  })
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true })
  })
  return async (name, content) => {
    const path = join(folder, name)
    await writeFile(path, content)
    return path
  }
}
