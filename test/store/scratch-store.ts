/** A store in a temporary folder of the test's own, removed afterwards with its read-only folders. */
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { onTestFinished } from 'vitest'
import { datasetFolder, type Store } from '../../src/store/layout.ts'
import { isVersion, type Version } from '../../src/store/version.ts'

const isFolder = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true

export const removeTree = (folder: string): void => {
  const openUp = (path: string): void => {
    chmodSync(path, 0o755)
    for (const name of readdirSync(path)) if (isFolder(join(path, name))) openUp(join(path, name))
  }
  if (isFolder(folder)) openUp(folder)
  rmSync(folder, { recursive: true, force: true })
}

/** A temporary folder that is removed when the test is over. */
export const scratchFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'stichtag-store-'))
  onTestFinished(() => removeTree(folder))
  return folder
}

export const scratchStore = (): Store => ({ root: scratchFolder(), origin: 'global' })

/** A well-formed version, checked. */
export const versionOf = (text: string): Version => {
  if (isVersion(text)) return text
  throw new Error(`${text} is no version`)
}

export const makeDatasetFolder = (store: Store, dataset: string): string => {
  const folder = datasetFolder(store, dataset)
  mkdirSync(folder, { recursive: true })
  return folder
}

/**
 * Everything below a folder: path → content, link target or `folder`, with its mode. Lock files are listed and not
 * opened: closing one would release the lock that this process holds.
 */
export const treeOf = (root: string): Record<string, string> => {
  const tree: Record<string, string> = {}
  const visit = (path: string): void => {
    const found = lstatSync(path)
    const mode = (found.mode & 0o777).toString(8)
    const name = relative(root, path)
    if (found.isSymbolicLink()) tree[name] = `-> ${readlinkSync(path)}`
    else if (found.isDirectory()) {
      tree[name] = `folder ${mode}`
      for (const entry of readdirSync(path)) visit(join(path, entry))
    } else tree[name] = name.endsWith('lock') ? 'lock' : `${mode} ${readFileSync(path).toString('base64')}`
  }
  visit(root)
  return tree
}
