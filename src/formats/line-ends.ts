/** Files of old Macs, whose lines end in a carriage return alone. */
import type { Bytes } from './types.ts'

/**
 * The same bytes with line feeds for carriage returns, where the first line ends in a carriage return and no line feed
 * follows in the same chunk. In UTF-8 neither byte is ever part of another character.
 */
export async function* withLineFeeds(bytes: Bytes): AsyncGenerator<Buffer, void, undefined> {
  let returnsOnly: boolean | undefined
  let held: Buffer | undefined
  for await (const chunk of bytes) {
    const part = held === undefined ? chunk : Buffer.concat([held, chunk])
    returnsOnly ??= endsLinesInReturns(part)
    // What comes after carriage returns at the end of a chunk decides.
    held = returnsOnly === undefined && part.at(-1) === carriageReturn ? part : undefined
    if (held === undefined) yield returnsOnly ? withFeeds(part) : part
  }
  if (held !== undefined) yield withFeeds(held)
}

const carriageReturn = 0x0d
const lineFeed = 0x0a

/** Undefined where there is no line end yet, or only carriage returns at the very end. */
const endsLinesInReturns = (part: Buffer): boolean | undefined => {
  if (part.includes(lineFeed)) return false
  const first = part.indexOf(carriageReturn)
  const goesOn = first !== -1 && part.subarray(first).some((byte) => byte !== carriageReturn)
  return goesOn ? true : undefined
}

const withFeeds = (part: Buffer): Buffer => Buffer.from(part.toString('latin1').replaceAll('\r', '\n'), 'latin1')
