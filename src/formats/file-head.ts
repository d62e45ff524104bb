/** The first bytes of a file, by which it is recognised. */
import { type FileHandle, open } from 'node:fs/promises'
import { StichtagError } from '../errors.ts'
import { headBytes } from './magic.ts'

/** The first bytes of the file at `path`, as many as suffice. @throws FILE_NOT_FOUND, NOT_WHAT_IT_SAYS (empty) */
export const headOf = async (path: string, name: string): Promise<Buffer> => {
  const head = await firstBytes(path, name)
  if (head.length === 0) throw new StichtagError('NOT_WHAT_IT_SAYS', `${name}: empty file`, { data: { file: name } })
  return head
}

const firstBytes = async (path: string, name: string): Promise<Buffer> => {
  let file: FileHandle | undefined
  try {
    file = await open(path)
    const { bytesRead, buffer } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    return buffer.subarray(0, bytesRead)
  } catch (error) {
    throw new StichtagError('FILE_NOT_FOUND', `${name}: cannot be read (${String(error)})`, {
      data: { file: name },
      cause: error,
    })
  } finally {
    await file?.close()
  }
}
