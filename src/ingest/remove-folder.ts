/** Removing what a store holds in folders of their own: snapshots, quarantined ones, work areas. */
import { chmodSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { syncFolder } from '../store/durable.ts'
import { buildingPrefix } from '../store/layout.ts'
import { isLink } from '../store/no-links.ts'

/**
 * Removes a snapshot's or work area's folder, read-only or not. It loses its name first: a version that is half removed
 * when the process dies must not be taken for a kept one.
 */
export const removeFolder = (folder: string): void => {
  const name = basename(folder)
  const doomed = name.startsWith(buildingPrefix) ? folder : join(dirname(folder), `${buildingPrefix}${name}`)
  if (doomed !== folder) {
    renameSync(folder, doomed)
    // A power cut must not give half of its content its name back.
    syncFolder(dirname(folder))
  }
  // A link in a folder's place goes by itself: nothing of where it leads is touched.
  if (!isLink(doomed)) chmodSync(doomed, 0o755)
  rmSync(doomed, { recursive: true, force: true })
}
