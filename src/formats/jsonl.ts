/** JSON Lines: one JSON value per line. */
import { StichtagError } from '../errors.ts'
import { parsedRecord } from './json-record.ts'
import { problemOf } from './json-value.ts'
import { readLines } from './lines.ts'
import { type Bytes, batchSize, maxRawLength, type ReadOptions, type ReadRecord } from './types.ts'

export interface JsonlOptions extends ReadOptions {
  readonly maxLineBytes?: number | undefined
}

/**
 * The records of JSON Lines, in batches. Blank lines are skipped. A line that is no JSON value stands as a problem in
 * its place.
 *
 * @throws RECORD_INVALID where the file as a whole is not JSON Lines (pretty-printed JSON, say), CANCELLED
 */
export async function* readJsonl(
  bytes: Bytes,
  { source, signal, maxLineBytes, lineOf }: JsonlOptions,
): AsyncGenerator<readonly ReadRecord[], void, undefined> {
  const start = startCheck(source)
  let batch: ReadRecord[] = []
  for await (const { first, texts, notUtf8 } of readLines(bytes, { source, maxLineBytes, lineOf })) {
    if (signal?.aborted) throw new StichtagError('CANCELLED', `reading ${source} was cancelled`)
    for (const [index, text] of texts.entries()) {
      const line = first + index
      const read = parseLine(line, text, notUtf8.has(line))
      if (read === undefined) continue
      start(read, text)
      batch.push(read)
      if (batch.length < batchSize) continue
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}

const parseLine = (line: number, text: string, notUtf8: boolean): ReadRecord | undefined => {
  if (notUtf8) return { line, problem: 'not valid UTF-8', raw: text.slice(0, maxRawLength) }
  try {
    return parsedRecord(line, text)
  } catch (error) {
    if (text.trim() === '') return undefined
    return { line, problem: problemOf(error), raw: text.slice(0, maxRawLength) }
  }
}

/** A line that opens an object or array and breaks off between two of its members. */
const opensOnly = /^\s*[{[](?:.*[{[,:])?\s*$/

/**
 * Looks at the first two records: a file of pretty-printed JSON gives one clear error instead of thousands of bad
 * lines, while a first line that is merely bad stays one problem.
 */
const startCheck = (source: string): ((read: ReadRecord, text: string) => void) => {
  let state: 'first' | 'second' | 'passed' = 'first'
  let suspect = 0
  return (read, text) => {
    switch (state) {
      case 'first':
        if ('problem' in read && opensOnly.test(text)) throw notJsonl(source, read.line)
        state = 'problem' in read ? 'second' : 'passed'
        suspect = read.line
        return
      case 'second':
        if (!isObject(read)) throw notJsonl(source, suspect)
        state = 'passed'
        return
      case 'passed':
        return
    }
  }
}

const isObject = (read: ReadRecord): boolean =>
  'record' in read && typeof read.record === 'object' && read.record !== null

const notJsonl = (source: string, line: number): StichtagError =>
  new StichtagError(
    'RECORD_INVALID',
    `${source}: line ${line} is not a complete JSON value: this is not JSON Lines (pretty-printed JSON, perhaps)`,
    { data: { source, line } },
  )
