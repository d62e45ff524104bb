/** Real files that are not part of the project, in a folder beside the checkout. Tests that need them are skipped, and say so, without it. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../src/package-root.ts'

const folder = join(packageRoot, '..', 'shared', 'data')

export const hasSharedData = existsSync(folder)
if (!hasSharedData) process.stderr.write(`skipped, no real files at ../shared/data: see CONTRIBUTING.md\n`)

export const sharedFile = (...names: string[]): string => join(folder, ...names)
