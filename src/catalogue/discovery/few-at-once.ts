/** Work of which little is done at a time, in the order in which it came. */
export const fewAtOnce = (most: number): (<Result>(work: () => Promise<Result>) => Promise<Result>) => {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
