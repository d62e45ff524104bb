/** Shares in words: with as many digits as tell them from nothing, from all, and from each other. Pure. */

const mostDigits = 8

const rounded = (share: number, digits: number): string =>
  `${(share * 100).toFixed(digits).replace(/(\.\d+?)0+$/, '$1')} %`

/** Two digits of the smallest that is not nothing, where it is below a tenth of a percent. */
const leastDigits = (shares: readonly number[]): number => {
  const smallest = Math.min(...shares.filter((share) => share > 0)) * 100
  return smallest < 0.1 ? Math.min(mostDigits, Math.ceil(-Math.log10(smallest)) + 1) : 1
}

const isPlain = (shares: readonly number[], digits: number): boolean => {
  const texts = shares.map((share) => rounded(share, digits))
  const areTold = new Set(texts).size === new Set(shares).size
  return areTold && shares.every((share, index) => share >= 1 || texts[index] !== rounded(1, digits))
}

/** Shares (1 is all) as percentages that can be compared, e.g. `0.017 %` and `0.01 %`. */
export const percents = (...shares: readonly number[]): readonly string[] => {
  let digits = leastDigits(shares)
  while (digits < mostDigits && !isPlain(shares, digits)) digits += 1
  return shares.map((share) => rounded(share, digits))
}

/** A count as people read it, e.g. `30,023`. */
export const inThousands = (count: number): string => count.toLocaleString('en-US')
