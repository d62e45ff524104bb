/**
 * XML as a stream of elements. saxes checks that it is well-formed; nothing outside of the file is ever fetched, and a
 * DTD within it, by which entities are declared that unpack without end, is refused. Built-in and numeric references are
 * as many as there are.
 */
import { StichtagError } from '../errors.ts'
import { type Bytes, batchSize, type ReadOptions, type ReadRecord } from './types.ts'
import type { XmlFormat } from './xml-format.ts'
import { XmlReader } from './xml-reader.ts'
import { xmlText } from './xml-text.ts'

/**
 * The declared elements of an XML file, in batches, each an `XmlElement`.
 *
 * @throws NOT_WHAT_IT_SAYS for what is no XML, has another root, no record, or a DTD of its own; RECORD_INVALID, with
 *   the line, where it is not well-formed or a record is too long; DATA_CORRUPT where it is cut; CANCELLED
 */
export async function* readXml(
  bytes: Bytes,
  format: XmlFormat,
  options: ReadOptions,
): AsyncGenerator<readonly ReadRecord[], void, undefined> {
  const { source, signal } = options
  const reader = new XmlReader(format, options)
  for await (const text of xmlText(bytes, format.encoding, source)) {
    if (signal?.aborted) throw new StichtagError('CANCELLED', `reading ${source} was cancelled`)
    const records = reader.read(text)
    for (let from = 0; from < records.length; from += batchSize) yield records.slice(from, from + batchSize)
  }
  reader.end()
}
