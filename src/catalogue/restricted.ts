/**
 * The live catalogue as somebody sees it whose authorisation ends at certain datasets: nothing tells that there are
 * others, and what moves there is no news.
 */
import { hasMoved, listsBetween } from './move.ts'
import type { Catalogue, CatalogueMove, CatalogueSource } from './types.ts'

/** A source without all other datasets than these, which need not be there yet. It is as long-lived as `source`. */
export const onlyDatasets = (source: CatalogueSource, datasets: readonly string[]): CatalogueSource =>
  new RestrictedSource(source, new Set(datasets))

class RestrictedSource implements CatalogueSource {
  readonly #source: CatalogueSource
  readonly #datasets: ReadonlySet<string>

  constructor(source: CatalogueSource, datasets: ReadonlySet<string>) {
    this.#source = source
    this.#datasets = datasets
  }

  get current(): Catalogue {
    return this.#source.current.only(this.#datasets)
  }

  onMove(listener: (move: CatalogueMove) => void): () => void {
    let before = this.current
    return this.#source.onMove(({ datasets }) => {
      const after = this.current
      const move = {
        datasets: datasets.filter((dataset) => this.#datasets.has(dataset)),
        ...listsBetween(before, after),
      }
      before = after
      if (hasMoved(move)) listener(move)
    })
  }

  /** The source behind it is its owner's to close. */
  close(): Promise<void> {
    return Promise.resolve()
  }
}
