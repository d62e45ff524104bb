/** Imports a feed by node-gtfs, in a process of its own: `import-by-node-gtfs.ts <its package.json> <feed.zip> <database>`. */
import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

interface NodeGtfs {
  importGtfs(config: {
    readonly agencies: readonly { readonly path: string }[]
    readonly sqlitePath: string
    readonly verbose: boolean
  }): Promise<unknown>
}

const [manifest = '', feed = '', database = ''] = process.argv.slice(2)
rmSync(database, { force: true })
// It is installed outside of this project, so its types are not here; this is what its README says.
const nodeGtfs = (await import(pathToFileURL(createRequire(manifest).resolve('gtfs')).href)) as NodeGtfs
await nodeGtfs.importGtfs({ agencies: [{ path: feed }], sqlitePath: database, verbose: false })
