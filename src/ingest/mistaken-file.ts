/** Files that people take for a source's own: told by their first bytes, so that the words can say what to take instead. */
import { StichtagError } from '../errors.ts'
import { openFile } from '../formats/open.ts'
import type { PipelineDefinition } from '../pipeline/types.ts'
import type { DeliveredFile } from './delivery.ts'

/** Bytes below which a file says too little to be another one: that it has no record, say, or the same single one. */
const leastAlike = 1000

/** @throws NOT_WHAT_IT_SAYS for two sources that were given one and the same file */
const refuseAlike = (files: readonly Pick<DeliveredFile, 'name' | 'bytes' | 'sha256'>[]): void => {
  for (const [index, file] of files.entries()) {
    const alike = files.slice(0, index).find(({ sha256 }) => sha256 === file.sha256)
    if (alike === undefined || file.bytes < leastAlike) continue
    throw new StichtagError(
      'NOT_WHAT_IT_SAYS',
      `${alike.name} and ${file.name} are the same, byte for byte: one of them is the other under a wrong name`,
      { data: { files: [alike.name, file.name] } },
    )
  }
}

/** Characters from the beginning in which a file is told. */
const toldWithin = 4096

/** @throws NOT_WHAT_IT_SAYS for a delivery that the pipeline knows as another file, saying which, and what opening it throws */
export const refuseMistaken = async (
  { sources }: Pick<PipelineDefinition, 'sources'>,
  files: readonly DeliveredFile[],
  signal: AbortSignal,
): Promise<void> => {
  refuseAlike(files)
  for (const { name, path } of files) {
    const mistakes = sources.find((source) => source.name === name)?.mistakenFor ?? []
    if (mistakes.length === 0) continue
    const beginning = await beginningOf(path, name, signal)
    const mistake = mistakes.find(({ has }) => beginning.includes(has))
    if (mistake === undefined) continue
    throw new StichtagError('NOT_WHAT_IT_SAYS', `${name}: what was given is ${mistake.is}`, { data: { file: name } })
  }
}

const beginningOf = async (path: string, name: string, signal: AbortSignal): Promise<string> => {
  let text = ''
  for await (const chunk of openFile(path, { name, signal })) {
    text += chunk.toString('latin1')
    if (text.length >= toldWithin) break
  }
  return text.slice(0, toldWithin)
}
