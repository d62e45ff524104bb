/** Cutting an answer into pages of about 100 KB (DESIGN §4.4). Pages follow from the content alone: no cursor is kept. */

/** Most bytes of JSON in one page, roughly. */
export const pageBytes = 100_000

/** Bytes a value takes as JSON. */
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '')

/**
 * Cuts a list so that each part holds as much as fits: at least one item each, and `taken` bytes less in the first. An
 * empty list is one empty part.
 */
export const cut = <Item>(items: readonly Item[], taken = 0, budget = pageBytes): readonly (readonly Item[])[] => {
  const parts: Item[][] = [[]]
  let left = budget - taken
  for (const item of items) {
    const bytes = jsonBytes(item) + 1
    const isFirst = parts.length === 1 && taken > 0
    const last = parts.at(-1)
    if (last !== undefined && (bytes <= left || (last.length === 0 && !isFirst))) last.push(item)
    else {
      parts.push([item])
      left = budget
    }
    left -= bytes
  }
  return parts
}

/** Said of a page that is over the limit: a row is never cut, so one that is wider has a page of its own. */
export const wideNote = (page: unknown): { readonly wide?: string } => {
  const bytes = jsonBytes(page)
  if (bytes <= pageBytes + overhead) return {}
  return { wide: `One row alone takes this page past ${pageBytes} bytes: it is here whole, in about ${bytes} bytes.` }
}

/** Bytes around the rows of a page that are not counted. */
const overhead = 2000
