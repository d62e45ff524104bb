/** A map of bounded size that lets go of what was not asked for longest. */
export class LeastRecentMap<Key, Item> {
  readonly #items = new Map<Key, Item>()
  readonly #limit: number
  readonly #release: (item: Item) => void
  readonly #sizeOf: (item: Item) => number
  #size = 0

  /**
   * @param limit how much is kept: items, or what `sizeOf` counts of each
   * @param release called with every item that leaves the map
   */
  constructor(
    limit: number,
    release: (item: Item) => void = () => undefined,
    sizeOf: (item: Item) => number = () => 1,
  ) {
    this.#limit = limit
    this.#release = release
    this.#sizeOf = sizeOf
  }

  /** How much is kept. */
  get size(): number {
    return this.#size
  }

  get(key: Key): Item | undefined {
    const item = this.#items.get(key)
    if (item === undefined) return undefined
    this.#items.delete(key)
    this.#items.set(key, item)
    return item
  }

  set(key: Key, item: Item): void {
    this.delete(key)
    this.#items.set(key, item)
    this.#size += this.#sizeOf(item)
    for (const oldest of this.#items.keys()) {
      if (this.#size <= this.#limit) return
      this.delete(oldest)
    }
  }

  delete(key: Key): void {
    const item = this.#items.get(key)
    if (item === undefined) return
    this.#items.delete(key)
    this.#size -= this.#sizeOf(item)
    this.#release(item)
  }

  keys(): readonly Key[] {
    return [...this.#items.keys()]
  }
}
