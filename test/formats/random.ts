/** Inputs that are random and the same on every run. */

/** Numbers from 0 up to, and without, a limit. */
export type Random = (limit: number) => number

/** Mulberry32: small, and good enough for inputs. */
export const seeded = (seed: number): Random => {
  let state = seed
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * limit)
  }
}

/** A text of at most `most` pieces. */
export const textFrom = (pieces: readonly string[], most: number, random: Random): string =>
  Array.from({ length: random(most + 1) }, () => pieces[random(pieces.length)] ?? '').join('')
