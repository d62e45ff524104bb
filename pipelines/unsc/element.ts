/** XML elements as the plain objects that a `FieldReader` reads strictly. */
import type { XmlElement } from '../../src/pipeline/types.ts'

type Plain = Readonly<Record<string, unknown>>

/** A text without line breaks and doubled spaces, which the source has in places; null for none. */
export const oneLine = (text: string | null): string | null => {
  const line = text?.replace(/\s+/gu, ' ').trim() ?? ''
  return line === '' ? null : line
}

/**
 * An element as an object: attributes and children by name. Children whose name is in `lists` are lists of objects, a
 * text in them is their `text`; of any other name there can be one, so that a second one is told and not lost.
 */
export const plainOf = ({ attributes, text, children }: XmlElement, lists: ReadonlySet<string>): Plain => {
  // No prototype: an element may be named __proto__.
  const plain: Record<string, unknown> = Object.assign(Object.create(null), attributes)
  if (text !== '') plain.text = text
  for (const child of children) {
    const value = lists.has(child.name) || !isLeaf(child) ? plainOf(child, lists) : child.text || null
    const earlier = plain[child.name]
    if (lists.has(child.name)) plain[child.name] = Array.isArray(earlier) ? [...earlier, value] : [value]
    else plain[child.name] = child.name in plain ? [earlier, value] : value
  }
  return plain
}

const isLeaf = ({ attributes, children }: XmlElement): boolean =>
  children.length === 0 && Object.keys(attributes).length === 0
