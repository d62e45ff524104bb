/**
 * Pages of a list. A cursor names the list, how many entries came before and the last of them, so that a list that
 * changed between two pages is not continued at a wrong place: where the entry has moved, the page follows it; where it
 * is gone, the cursor is refused and the host starts again.
 */
import { z } from 'zod'
import { StichtagError } from '../errors.ts'

const listNames = ['resources', 'templates', 'tools', 'prompts'] as const

/** Which list a cursor belongs to. */
export type ListName = (typeof listNames)[number]

export interface Page<Item> {
  readonly items: readonly Item[]
  readonly nextCursor?: string
}

const cursorSchema = z.tuple([z.enum(listNames), z.int().positive(), z.string()])

const encoded = (list: ListName, offset: number, last: string): string =>
  Buffer.from(JSON.stringify([list, offset, last])).toString('base64url')

const refused = () =>
  new StichtagError('USAGE', 'This cursor is not valid (any more). List again without one, from the start.')

const decoded = (cursor: string): z.infer<typeof cursorSchema> => {
  try {
    return cursorSchema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
  } catch (cause) {
    if (cause instanceof SyntaxError || cause instanceof z.ZodError) throw refused()
    throw cause
  }
}

const startAfter = <Item>(items: readonly Item[], keyOf: (item: Item) => string, list: ListName, cursor: string) => {
  const [ofList, offset, last] = decoded(cursor)
  if (ofList !== list) throw refused()
  const before = items[offset - 1]
  if (before !== undefined && keyOf(before) === last) return offset
  const moved = items.findIndex((item) => keyOf(item) === last)
  if (moved < 0) throw refused()
  return moved + 1
}

/**
 * One page of `items`, which `keyOf` tells apart.
 * @throws USAGE (an MCP error -32602) for a cursor that this list did not give.
 */
export const pageOf = <Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  list: ListName,
  size: number,
  cursor: string | undefined,
): Page<Item> => {
  const start = cursor === undefined ? 0 : startAfter(items, keyOf, list, cursor)
  const end = start + size
  const page = items.slice(start, end)
  const last = page.at(-1)
  return last === undefined || end >= items.length
    ? { items: page }
    : { items: page, nextCursor: encoded(list, end, keyOf(last)) }
}
