/** What a host was told, and waiting for it. */
import type { Host } from './host.ts'

export interface Told {
  readonly uris: readonly string[]
  /** Resolves when so many notifications have come. */
  atLeast(count: number, signal: AbortSignal): Promise<void>
}

/** Collects a host's notifications from now on. */
export const collect = (host: Host): Told => {
  const uris: string[] = []
  const waiting = new Set<() => void>()
  host.onUpdated((uri) => {
    uris.push(uri)
    for (const look of [...waiting]) look()
  })
  return {
    uris,
    atLeast: (count, signal) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (uris.length < count && !signal.aborted) return
          waiting.delete(look)
          signal.removeEventListener('abort', look)
          if (uris.length >= count) resolve()
          else reject(new Error(`told of ${uris.length} changes, expected ${count}: ${uris.join(', ')}`))
        }
        waiting.add(look)
        signal.addEventListener('abort', look)
        look()
      }),
  }
}
