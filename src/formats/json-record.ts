/** The record that a JSON text is. */
import { hasRepeatedKey, isLookedAt, repeatedKey } from './json-keys.ts'
import { parseJson } from './json-value.ts'
import type { ReadRecord } from './types.ts'

/** The record of a line. Throws as {@link parseJson} does. */
export const parsedRecord = (line: number, text: string): ReadRecord => {
  const record = parseJson(text)
  return isLookedAt(line) && hasRepeatedKey(text, record) ? { line, record, remark: repeatedKey } : { line, record }
}
