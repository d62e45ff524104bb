/** A source that people have in more than one format: its first character tells which one a file is in. */
import { StichtagError } from '../errors.ts'
import type { EitherFormat, PlainFormat } from './definition.ts'
import type { Bytes, ReadOptions, ReadRecord, RecordBatches } from './types.ts'

/** Bytes in which the first character of any text comes, whatever its encoding. */
const enough = 256

/** The first character that is not blank; a byte order mark and the NUL bytes of UTF-16 are passed over. */
const firstCharacter = (head: Buffer): string | undefined =>
  /[^\s\0\u00ff\u00fe\u00ef\u00bb\u00bf]/.exec(head.toString('latin1'))?.[0]

const typesOf = (first: string | undefined): readonly PlainFormat['type'][] =>
  first === '<' ? ['xml'] : first === '{' || first === '[' ? ['json', 'jsonl'] : ['csv']

/**
 * The records of bytes in the one of the formats that they are in.
 *
 * @throws NOT_WHAT_IT_SAYS where they are in none of them
 */
export async function* readEither(
  bytes: Bytes,
  { formats }: EitherFormat,
  options: ReadOptions,
  read: (bytes: Bytes, format: PlainFormat, options: ReadOptions) => RecordBatches,
): AsyncGenerator<readonly ReadRecord[], void, undefined> {
  const parts = bytes[Symbol.asyncIterator]()
  let head = Buffer.alloc(0)
  let isAtEnd = false
  while (!isAtEnd && head.length < enough) {
    const { done, value } = await parts.next()
    if (done === true) isAtEnd = true
    else head = Buffer.concat([head, value])
  }
  const types = typesOf(firstCharacter(head))
  const format = formats.find(({ type }) => types.includes(type))
  if (format === undefined) {
    await parts.return?.()
    const wanted = formats.map(({ type }) => type).join(' or ')
    throw new StichtagError(
      'NOT_WHAT_IT_SAYS',
      `${options.source}: looks like ${types.join(' or ')}, not like ${wanted}`,
      {
        data: { file: options.source },
      },
    )
  }
  yield* read(continued(head, parts), format, options)
}

async function* continued(head: Buffer, parts: AsyncIterator<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  try {
    if (head.length > 0) yield head
    for (let next = await parts.next(); next.done !== true; next = await parts.next()) yield next.value
  } finally {
    await parts.return?.()
  }
}
