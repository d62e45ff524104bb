/**
 * The boundaries between rooms (DESIGN §3), checked on source text: what a file imports, what it exports, what it is
 * called. Type imports count as imports unless a rule says otherwise.
 */
import { posix } from 'node:path'

/** A source file: its path from the project's root, with `/`, and its text. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

/** One import of a file. `target` is the package's name as written, or the path of a file of ours. */
interface Import {
  readonly target: string
  readonly typeOnly: boolean
}

/** `import … from 'x'`, `export … from 'x'` and `import 'x'`, each at the beginning of a line. */
const staticForm =
  /^[ \t]*(?:import|export)\b[ \t]*(type\b(?!\s*,|\s+from\b))?(?:[^'"`;=()]*?\bfrom\b)?\s*['"]([^'"]+)['"]/gm
/** `import('x')`, as a value or within a type, and `require('x')`. */
const callForm = /\b(?:import|require)(?:\.resolve)?\s*\(\s*['"`]([^'"`]+)['"`]/g

const targetOf = (specifier: string, path: string): string =>
  specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier

const importsOf = ({ path, text }: SourceFile): readonly Import[] => [
  ...[...text.matchAll(staticForm)].map(([, type, specifier = '']) => ({
    target: targetOf(specifier, path),
    typeOnly: type !== undefined,
  })),
  ...[...text.matchAll(callForm)].map(([, specifier = '']) => ({ target: targetOf(specifier, path), typeOnly: false })),
]

const isPackage = (target: string, ...names: readonly string[]): boolean =>
  names.some((name) => target === name || target.startsWith(`${name}/`))

const isIn = (path: string, ...folders: readonly string[]): boolean =>
  folders.some((folder) => path === folder || path.startsWith(`${folder}/`))

/** A rule about imports: in the files that it applies to, no import may be one that it forbids. */
interface ImportRule {
  readonly rule: string
  readonly appliesTo: (path: string) => boolean
  readonly forbids: (imported: Import, path: string) => boolean
}

const protocol = '@modelcontextprotocol'
const upstream = ['src/ingest', 'src/pipeline', 'src/formats', 'src/store']
const downstream = ['src/gateway', 'src/catalogue', 'src/query', 'src/schema']

const importRules: readonly ImportRule[] = [
  {
    rule: 'the catalogue is protocol-free',
    appliesTo: (path) => isIn(path, 'src/catalogue'),
    forbids: ({ target }) => isPackage(target, protocol),
  },
  {
    rule: 'the gateway reads databases through the reader processes only',
    appliesTo: (path) => isIn(path, 'src/gateway'),
    forbids: ({ target }) => isPackage(target, 'better-sqlite3'),
  },
  {
    rule: 'only the gateway imports the MCP server',
    appliesTo: (path) => !isIn(path, 'src/gateway'),
    forbids: ({ target }) => isPackage(target, `${protocol}/server`, `${protocol}/node`),
  },
  {
    rule: 'only the demo and watch import an MCP client',
    appliesTo: (path) => !isIn(path, 'src/demo', 'src/cli/watch.ts'),
    forbids: ({ target }) => isPackage(target, `${protocol}/client`, `${protocol}/sdk`),
  },
  {
    rule: 'a pipeline imports nothing but types and files of its own folder',
    appliesTo: (path) => isIn(path, 'pipelines'),
    forbids: ({ target, typeOnly }, path) => !typeOnly && !isIn(target, path.split('/').slice(0, 2).join('/')),
  },
  {
    rule: 'the ingest side does not know that a gateway exists',
    appliesTo: (path) => isIn(path, ...upstream),
    forbids: ({ target }) => isIn(target, ...downstream),
  },
]

const defaultExport = /^[ \t]*export\s+default\b|\bexport\s*\{[^}]*\bas\s+default\b/m
const vagueName = /^(?:utils?|helpers?|common|misc)$/i

/** Sentences on each boundary that a file crosses; none where it keeps to all. */
export const violationsOf = (file: SourceFile): readonly string[] => {
  const { path, text } = file
  const crossed = importRules
    .filter((rule) => rule.appliesTo(path))
    .flatMap((rule) =>
      importsOf(file)
        .filter((imported) => rule.forbids(imported, path))
        .map(({ target }) => `${path}: ${rule.rule}, but it imports ${target}`),
    )
  // Types of foreign modules (.d.ts) describe what others export.
  const hasDefault = isIn(path, 'src') && !path.endsWith('.d.ts') && defaultExport.test(text)
  const vague = path.split('/').filter((name) => vagueName.test(name.replace(/\..*$/, '')))
  return [
    ...crossed,
    ...(hasDefault ? [`${path}: exports are named, but it has a default export`] : []),
    ...vague.map((name) => `${path}: a name says what is inside, but ${name} does not`),
  ]
}
