/** Where the package's own files lie, in a checkout (`src/…`) and in the published package (`dist/src/…`) alike. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))

const rootAbove = (folder: string): string => {
  if (existsSync(join(folder, 'package.json'))) return folder
  const parent = dirname(folder)
  if (parent === folder) throw new Error(`no package.json above ${here}`)
  return rootAbove(parent)
}

/** Folder of package.json. */
export const packageRoot: string = rootAbove(here)

/** What runs the command line, given to Node: the one file that is the same in a checkout and in the package. */
export const commandLine: string = join(packageRoot, 'bin', 'stichtag.mjs')

/** Folder in which compiled or source code lies beside `src`: the root in a checkout, `dist` in the package. */
export const codeRoot: string = dirname(here)

/** Extension of our own modules as they run: `.ts` in a checkout, `.js` in the package. */
export const moduleExtension: '.ts' | '.js' = extname(import.meta.url) === '.ts' ? '.ts' : '.js'

/** The package's version, from package.json. */
export const packageVersion: string = (() => {
  const text = readFileSync(join(packageRoot, 'package.json'), 'utf8')
  const parsed: unknown = JSON.parse(text)
  if (typeof parsed === 'object' && parsed !== null && 'version' in parsed) return String(parsed.version)
  throw new Error('package.json has no version')
})()
