/**
 * How a key is spelled inside a URI (DESIGN §4.4).
 *
 * Hosts re-spell URIs: VS Code lower-cases the part after `//` and decodes `%2F`, others collapse `..`. So a key is
 * written in letters that nobody touches: letters, digits, `-`, `_` and inner dots; every other UTF-8 byte is `~` and
 * two hex digits, empty is `~`, NULL is `~0`.
 */

/** A key value as read from a URI: text, bytes that are not UTF-8, or NULL. */
export type KeyPart = string | Uint8Array | null

/** A key value to be written. */
export type KeyValue = KeyPart | number | bigint

const plain = /^[A-Za-z0-9_-]$/
/** What most keys are, and what is spelled and read as it is. */
const plainKey = /^[A-Za-z0-9_-](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?$/
const emptySpelling = '~'
const nullSpelling = '~0'

const hex = (byte: number): string => `~${byte.toString(16).toUpperCase().padStart(2, '0')}`

/** Writes one key value as one path segment. */
export const spellKey = (value: KeyValue): string => {
  if (value === null) return nullSpelling
  if (typeof value === 'string' && plainKey.test(value)) return value
  const bytes = value instanceof Uint8Array ? value : Buffer.from(String(value), 'utf8')
  if (bytes.length === 0) return emptySpelling
  const last = bytes.length - 1
  return Array.from(bytes, (byte, index) => {
    const letter = String.fromCharCode(byte)
    const isInnerDot = letter === '.' && index > 0 && index < last
    return plain.test(letter) || isInnerDot ? letter : hex(byte)
  }).join('')
}

/** Reads one path segment, percent-encoding and lower-case hex included; undefined where it is malformed. */
export const readKey = (segment: string): KeyPart | undefined => {
  if (plainKey.test(segment)) return segment
  const text = decodePercent(segment)
  if (text === nullSpelling) return null
  if (text === emptySpelling) return ''
  const bytes = decodeTilde(text)
  if (bytes === undefined) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    // A BLOB's bytes need not be text: they stay bytes.
    if (error instanceof TypeError) return bytes
    throw error
  }
}

/** Percent escapes become the bytes they stand for, one character each; other letters become their UTF-8 bytes. */
const decodePercent = (segment: string): string =>
  Buffer.from(segment, 'utf8')
    .toString('latin1')
    .replace(/%([0-9A-Fa-f]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))

const decodeTilde = (text: string): Uint8Array | undefined => {
  if (/~(?![0-9A-Fa-f]{2})/.test(text)) return undefined
  const bytes = text.replace(/~([0-9A-Fa-f]{2})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )
  return new Uint8Array(Buffer.from(bytes, 'latin1'))
}
