/** The catalogue as the commands see it: stores by flag, the package's schemas and those of the roots, one pool. */
import { join } from 'node:path'
import { openCatalogue } from '../catalogue/source.ts'
import type { CatalogueSource } from '../catalogue/types.ts'
import { currentClient } from '../gateway/request-context.ts'
import { log } from '../log.ts'
import { packageRoot } from '../package-root.ts'
import type { ReaderFigures } from '../query/figures.ts'
import { createReaderPool, type ReaderPoolOptions } from '../query/pool.ts'
import { runAfter } from '../schedule/next-run.ts'
import { type StoreFlags, servedStores } from './stores.ts'

export interface CatalogueFlags extends StoreFlags {
  readonly datasets?: readonly string[]
  readonly schemas?: readonly string[]
}

/** An open catalogue and the processes behind it. */
export interface OpenCatalogue {
  readonly source: CatalogueSource
  /** How busy the processes are now. */
  readonly readers: () => ReaderFigures
  /** Starts the processes, so that the first request need not wait for one. */
  warm(): void
  close(): Promise<void>
}

/** Folders of FlowMCP schemas, weakest first: the package's, each root's, and those that were named. */
export const schemaFolders = (flags: CatalogueFlags): string[] => [
  join(packageRoot, 'schemas'),
  ...servedStores(flags).map((store) => join(store.root, 'schemas')),
  ...(flags.schemas ?? []),
]

/** Opens the catalogue. `watch` follows changes of stores and schemas. */
export const openCommandCatalogue = async (
  flags: CatalogueFlags,
  options: ReaderPoolOptions & { readonly watch: boolean },
): Promise<OpenCatalogue> => {
  const pool = createReaderPool({ clientOf: currentClient, ...options })
  try {
    const source = await openCatalogue({
      stores: servedStores(flags),
      schemaFolders: schemaFolders(flags),
      ...(flags.datasets === undefined ? {} : { datasets: flags.datasets }),
      pool,
      runAfter,
      watch: options.watch,
      log,
    })
    return {
      source,
      readers: pool.figures,
      warm: pool.warm,
      close: async () => {
        await source.close()
        await pool.close()
      },
    }
  } catch (error) {
    await pool.close()
    throw error
  }
}
