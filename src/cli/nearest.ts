/** The known name that a misspelt one was probably meant to be. Pure. */

/** Letters to add, drop, change or swap to make one text of the other. */
const distance = (from: string, to: string): number => {
  let before: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row += 1) {
    const next = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const change = from[row - 1] === to[column - 1] ? 0 : 1
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      next[column] = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + change,
        swapped ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = last
    last = next
  }
  return last[to.length] ?? 0
}

/** The nearest of the known names, if it is near enough: at most two in five letters differ, and at most three. */
export const nearest = (name: string, known: readonly string[]): string | undefined => {
  const folded = name.toLowerCase()
  const ranked = known
    .map((each) => ({ each, far: distance(folded, each.toLowerCase()) }))
    .filter(({ each, far }) => far <= Math.min(3, 0.4 * Math.max(folded.length, each.length)))
    .sort((left, right) => left.far - right.far)
  return ranked[0]?.each
}

/** ` Did you mean …?`, to be put after a message; nothing where no known name is near. */
export const suggestion = (name: string, known: readonly string[]): string => {
  const found = nearest(name, known)
  return found === undefined ? '' : ` Did you mean ${found}?`
}
