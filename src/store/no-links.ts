/**
 * No links: a store writes and deletes nothing through a symbolic link, so that nobody can have it overwrite or empty what
 * lies elsewhere. Its links are the pointer and the aliases, which are renamed over and never followed. The folders right
 * below `data/` may be links: which disk they lie on is for people to say.
 */
import { lstatSync } from 'node:fs'
import { StichtagError } from '../errors.ts'

/** Whether a symbolic link lies at a path, wherever it leads. */
export const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true

/** What is said of a link in the place of a file or folder of the store's own. */
export const linkError = (path: string): StichtagError =>
  new StichtagError(
    'STORE_UNWRITABLE',
    `${path} is a symbolic link, and a store writes and deletes nothing through one. The current snapshot is unchanged. ` +
      'Move it away: the next command makes its own.',
    { data: { path } },
  )

/** @throws STORE_UNWRITABLE for the first of these paths that is a symbolic link */
export const refuseLinks = (...paths: readonly string[]): void => {
  const found = paths.find(isLink)
  if (found !== undefined) throw linkError(found)
}
