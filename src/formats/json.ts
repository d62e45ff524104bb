/** An array of records in a JSON document: the document itself, or one anywhere in it. Memory does not grow with it. */
import { isUtf8 } from 'node:buffer'
import { StichtagError } from '../errors.ts'
import { toUtf8 } from './encoding.ts'
import { type JsonFormat, keysOf } from './json-format.ts'
import { parsedRecord } from './json-record.ts'
import { type JsonElement, JsonSplitter } from './json-splitter.ts'
import { parseJson, problemOf, reasonOf } from './json-value.ts'
import { type Bytes, batchSize, maxRawLength, type ReadOptions, type ReadRecord } from './types.ts'

const defaultMaxRecordBytes = 64 * 1024 * 1024

/**
 * The elements of the array, in batches. One that is no JSON value stands as a problem in its place.
 *
 * @throws NOT_WHAT_IT_SAYS where there is no such array, DATA_CORRUPT for a document that is cut, RECORD_INVALID where
 *   it is no JSON outside of the array, or cannot be read on; CANCELLED
 */
export async function* readJson(
  bytes: Bytes,
  { records = '$[*]', maxRecordBytes = defaultMaxRecordBytes }: JsonFormat,
  { source, signal, onPreamble }: ReadOptions,
): AsyncGenerator<readonly ReadRecord[], void, undefined> {
  const parseBeside = (text: string): unknown => {
    try {
      return parseJson(text)
    } catch (error) {
      throw new StichtagError('RECORD_INVALID', `${source}: not valid JSON around its records: ${reasonOf(error)}`, {
        data: { source },
        cause: error,
      })
    }
  }
  const splitter = new JsonSplitter({
    source: records === '$[*]' ? source : `${source} (${records})`,
    keys: keysOf(records),
    maxElementBytes: maxRecordBytes,
    onStart: (text) => onPreamble?.({ type: 'json', document: parseBeside(text) }),
  })
  for await (const chunk of withoutMark(toUtf8(bytes, 'utf-8', source))) {
    if (signal?.aborted) throw new StichtagError('CANCELLED', `reading ${source} was cancelled`)
    const elements = splitter.push(chunk)
    for (let from = 0; from < elements.length; from += batchSize) {
      yield elements.slice(from, from + batchSize).map(recordOf)
    }
  }
  parseBeside(splitter.end())
}

const recordOf = ({ line, bytes }: JsonElement): ReadRecord => {
  const text = bytes.toString('utf8').trim()
  const problem = (what: string): ReadRecord => ({ line, problem: what, raw: text.slice(0, maxRawLength) })
  if (!isUtf8(bytes)) return problem('not valid UTF-8')
  try {
    return parsedRecord(line, text)
  } catch (error) {
    return problem(problemOf(error))
  }
}

const byteOrderMark = Buffer.from('\ufeff')

async function* withoutMark(bytes: Bytes): AsyncGenerator<Buffer, void, undefined> {
  let head: Buffer | undefined = Buffer.alloc(0)
  for await (const chunk of bytes) {
    if (head === undefined) {
      yield chunk
      continue
    }
    head = Buffer.concat([head, chunk])
    if (head.length < byteOrderMark.length) continue
    yield head.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? head.subarray(byteOrderMark.length) : head
    head = undefined
  }
  if (head !== undefined) yield head
}
