/** Runs sides of a comparison in turn (ours, theirs, ours, theirs …), so that whatever else the machine does meets both. */

/** What each side gave in each round. */
export const interleave = async <K extends string, T>(
  rounds: number,
  sides: Readonly<Record<K, (round: number) => Promise<T>>>,
): Promise<Record<K, T[]>> => {
  // A record with the keys of `sides`, each with an empty list: TypeScript knows entries by `string` alone.
  const results = Object.fromEntries(Object.keys(sides).map((side) => [side, []])) as unknown as Record<K, T[]>
  for (let round = 0; round < rounds; round += 1) {
    for (const side of Object.keys(sides) as K[]) results[side].push(await sides[side](round)) // the same keys
  }
  return results
}

/** The middle one; of an even number, the mean of the two in the middle. */
export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((left, right) => left - right)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}
