/** Says that the lists of a catalogue changed to those who see that catalogue. */
import type { CatalogueSource } from '../catalogue/types.ts'
import { changedLists, type ListChange } from './list-change.ts'
import { promptFingerprint } from './prompts.ts'

/** Somebody who hears of changed lists. */
export interface ListAudience {
  /** Says, or remembers until a stream opens, that lists changed. */
  listsChanged(change: ListChange): void
}

export class ListWatch {
  readonly #audiences = new Set<ListAudience>()
  readonly #unlisten: () => void

  constructor(source: CatalogueSource) {
    let prompts = promptFingerprint(source.current)
    this.#unlisten = source.onMove((move) => {
      const before = prompts
      prompts = promptFingerprint(source.current)
      const change = { tools: move.toolsChanged, resources: move.resourcesChanged, prompts: prompts !== before }
      if (changedLists(change).length === 0) return
      for (const audience of this.#audiences) audience.listsChanged(change)
    })
  }

  get isEmpty(): boolean {
    return this.#audiences.size === 0
  }

  add(audience: ListAudience): void {
    this.#audiences.add(audience)
  }

  delete(audience: ListAudience): void {
    this.#audiences.delete(audience)
  }

  close(): void {
    this.#unlisten()
    this.#audiences.clear()
  }
}
