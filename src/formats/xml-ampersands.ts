/**
 * Where a bare `&` may stand in an XML file. saxes takes all that follows one, tags included, for the name of an entity
 * until a `;` comes, and would name a line far from it.
 */

interface Ampersand {
  readonly position: number
  readonly line: number
}

const reference = /&(?:#\d+|#x[\da-fA-F]+|[\p{L}_:][\p{L}\p{N}_.:-]*);/uy

/** Ampersands that are remembered: in comments and character data they are allowed, and forgotten soon. */
const most = 1000

export class BareAmpersands {
  #seen: Ampersand[] = []
  #position = 0

  /** Takes note of those in a part of the text, which begins on this line. */
  look(text: string, firstLine: number): void {
    let line = firstLine
    let counted = 0
    for (let found = text.indexOf('&'); found !== -1; found = text.indexOf('&', found + 1)) {
      reference.lastIndex = found
      if (reference.test(text)) continue
      line += text.slice(counted, found).split('\n').length - 1
      counted = found
      this.#seen.push({ position: this.#position + found, line })
    }
    this.#position += text.length
    if (this.#seen.length > most) this.#seen = this.#seen.slice(-most)
  }

  /** The line of the first one at or after a position. */
  lineAfter(position: number): number | undefined {
    return this.#seen.find((each) => each.position >= position)?.line
  }
}
