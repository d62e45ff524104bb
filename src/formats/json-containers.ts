/** Which objects and arrays are open at a place in a JSON text, and by which keys one came there. */

/** Bytes of a key that are kept: a longer one is no key that anybody looks for. */
const maxKeyBytes = 1024

const nothing = Buffer.alloc(0)

export class ContainerPath {
  readonly #target: readonly string[]
  /** For each open container whether it is an array. */
  readonly #arrays: boolean[] = []
  /** For each open container the key whose value comes next. */
  readonly #keys: (string | undefined)[] = []
  /** The last text, its closing quote included, until something else follows that is no colon. */
  #text = nothing

  /** `target` are the keys of the array that is looked for. */
  constructor(target: readonly string[]) {
    this.#target = target
  }

  get depth(): number {
    return this.#arrays.length
  }

  open(isArray: boolean): void {
    this.#arrays.push(isArray)
    this.#keys.push(undefined)
  }

  /** False where another bracket is open, or none. */
  close(isArray: boolean): boolean {
    this.#keys.pop()
    return this.#arrays.pop() === isArray
  }

  /** Adds a part of a text that is being read. */
  addToText(part: Buffer): void {
    if (this.#text.length < maxKeyBytes) this.#text = Buffer.concat([this.#text, part])
  }

  /** Takes note of a character outside of texts: the text before a colon is a key. */
  see(isColon: boolean): void {
    if (isColon) this.#keys[this.#keys.length - 1] = keyOf(this.#text)
    this.#text = nothing
  }

  /** Whether the array that was just opened is the one looked for. */
  isAtTarget(): boolean {
    const { length } = this.#target
    return this.depth === length + 1 && this.#target.every((key, index) => this.#keys[index] === key)
  }

  /** The brackets that close all that is open. */
  closing(): string {
    return this.#arrays
      .map((isArray) => (isArray ? ']' : '}'))
      .reverse()
      .join('')
  }
}

const keyOf = (text: Buffer): string | undefined => {
  try {
    return String(JSON.parse(`"${text.toString('utf8')}`))
  } catch (error) {
    // What is no text is no key either; the whole is judged at its end.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
