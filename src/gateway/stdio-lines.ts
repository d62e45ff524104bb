/**
 * What comes in on stdin, in whole lines. The SDK skips a line that is no JSON without a word, and its host waits for ever:
 * such a line is told of and left out. One that never ends is handed on as it comes, for the SDK to end the connection.
 */

/** Bytes without the end of a line that are kept; the SDK takes as many. */
const mostBytes = 10 * 1024 * 1024
const lineFeed = 0x0a

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

/** Yields the lines that are JSON, and what is behind the last one; `broken` hears of each other that is not empty. */
export const jsonLines = async function* (
  chunks: AsyncIterable<Uint8Array | string>,
  broken: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  let rest: Buffer[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    let unread = Buffer.from(chunk)
    for (let end = unread.indexOf(lineFeed); end !== -1; end = unread.indexOf(lineFeed)) {
      const line = Buffer.concat([...rest, unread.subarray(0, end + 1)])
      rest = []
      bytes = 0
      unread = unread.subarray(end + 1)
      const text = line.toString('utf8').trim()
      if (text === '') continue
      if (isJson(text)) yield line
      else broken(line.byteLength)
    }
    if (unread.byteLength === 0) continue
    rest.push(unread)
    bytes += unread.byteLength
    if (bytes <= mostBytes) continue
    broken(bytes)
    yield Buffer.concat(rest)
    rest = []
    bytes = 0
  }
  if (bytes > 0) broken(bytes)
}
