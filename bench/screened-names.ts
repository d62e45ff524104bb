/** Names of a list as somebody may ask for them: as they are, in another order, with a typing error; always the same. */
import { wordsOf } from '../src/catalogue/full-text-query.ts'
import type { Value } from '../src/query/types.ts'

export interface Asked {
  readonly entityId: string | number
  readonly name: string
  readonly reordered: string
  readonly mistyped: string
}

/** In fewer letters than these one error makes another name (docs/screening.md). */
const leastLetters = 5

/** So many rows of `entity_id, name`, taken evenly, all where there are fewer. */
export const askedNames = (rows: readonly (readonly Value[])[], most: number): readonly Asked[] => {
  const below = randomBelow(20261201)
  const step = Math.max(1, Math.floor(rows.length / most))
  return rows
    .filter((_, place) => place % step === 0)
    .flatMap(([entityId, name]) =>
      (typeof entityId === 'string' || typeof entityId === 'number') && typeof name === 'string'
        ? [{ entityId, name, reordered: shuffled(name, below), mistyped: withError(name, below) }]
        : [],
    )
}

type Below = (most: number) => number

const randomBelow = (start: number): Below => {
  let seed = start
  return (most) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return Math.floor((seed / 2 ** 32) * most)
  }
}

const shuffled = (name: string, below: Below): string => {
  const words = wordsOf(name)
  for (let place = words.length - 1; place > 0; place -= 1) {
    const other = below(place + 1)
    const [one = '', two = ''] = [words[place], words[other]]
    words[place] = two
    words[other] = one
  }
  return words.join(' ')
}

/** One letter added, left out, replaced, or swapped with the next; short names stay as they are. */
const withError = (name: string, below: Below): string => {
  const letters = [...name]
  const places = letters.flatMap((letter, place) => (/\p{L}/u.test(letter) ? [place] : []))
  const place = places[below(places.length)] ?? 0
  const letter = String.fromCharCode(97 + below(26))
  const kind = below(4)
  if (places.length < leastLetters) return name
  if (kind === 0) letters.splice(place, 0, letter)
  else if (kind === 1) letters.splice(place, 1)
  else if (kind === 2) letters.splice(place, 1, letter)
  else letters.splice(place, 2, letters[place + 1] ?? '', letters[place] ?? '')
  return letters.join('')
}
