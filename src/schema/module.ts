/**
 * A schema file's exports, read as data. The file is never imported or run: its syntax tree is walked, its constants are
 * evaluated as literals, its functions are left alone, and anything that would act when the file is imported is refused.
 */
import { type AnyNode, type Declaration, type ExportNamedDeclaration, type Expression, type Node, parse } from 'acorn'
import { StichtagError } from '../errors.ts'
import { type Literal, LiteralEvaluator, type OnRefused, type Refuse } from './literal.ts'

/** Characters of the longest schema file that is read. */
const longest = 1_000_000

export interface ModuleData {
  /** Exported literals by name; `default` for the default export. */
  readonly values: ReadonlyMap<string, Literal>
  /** Names of exported functions. */
  readonly functions: readonly string[]
}

/** The error for a schema that cannot be read, naming the file and, where it is known, the line. */
export const schemaInvalid = (path: string, line: number | undefined, message: string, place?: string): StichtagError =>
  new StichtagError('SCHEMA_INVALID', `${path}${line === undefined ? '' : `:${line}`}: ${message}`, {
    data: { path, ...(line === undefined ? {} : { line }), ...(place === undefined ? {} : { place }) },
  })

const programOf = (text: string, path: string) => {
  if (text.length > longest) throw schemaInvalid(path, undefined, `is longer than ${longest} characters.`)
  try {
    return parse(text, { ecmaVersion: 'latest', sourceType: 'module', locations: true })
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown
    // acorn adds `loc` to its syntax errors.
    const { line } = (thrown as SyntaxError & { loc?: { line: number } }).loc ?? {}
    throw schemaInvalid(path, line, `cannot be parsed: ${thrown.message}`)
  }
}

/**
 * Reads a module's exports from its text. With `onRefused`, what is refused is told and left out, and the rest is read.
 * @throws SCHEMA_INVALID naming file, line and what was found
 */
export const readModule = (text: string, path: string, onRefused?: OnRefused): ModuleData => {
  const refuse: Refuse = (node, found) => {
    const [excerpt = ''] = text.slice(node.start, node.end).split('\n')
    const shown = excerpt.length > 60 ? `${excerpt.slice(0, 60)}…` : excerpt
    throw schemaInvalid(path, node.loc?.start.line, `${found} stands where only literal data may: ${shown}`)
  }
  const reader = new ModuleReader(refuse, onRefused)
  try {
    for (const statement of programOf(text, path).body) reader.readStatement(statement)
  } catch (thrown) {
    // The stack ran out.
    if (thrown instanceof RangeError) throw schemaInvalid(path, undefined, 'is nested too deeply.')
    throw thrown
  }
  return reader
}

const isFunction = (node: Node | null | undefined): boolean =>
  node?.type === 'FunctionExpression' ||
  node?.type === 'ArrowFunctionExpression' ||
  node?.type === 'FunctionDeclaration'

class ModuleReader implements ModuleData {
  readonly values = new Map<string, Literal>()
  readonly functions: string[] = []
  readonly #functionNames = new Set<string>()
  readonly #evaluator: LiteralEvaluator
  readonly #refuse: Refuse
  readonly #onRefused: OnRefused | undefined

  constructor(refuse: Refuse, onRefused?: OnRefused) {
    this.#refuse = refuse
    this.#onRefused = onRefused
    this.#evaluator = new LiteralEvaluator(refuse, onRefused)
  }

  readStatement(node: AnyNode): void {
    try {
      this.#read(node)
    } catch (error) {
      if (this.#onRefused === undefined || error instanceof RangeError) throw error
      this.#onRefused(error, '')
    }
  }

  #read(node: AnyNode): void {
    switch (node.type) {
      case 'VariableDeclaration':
        this.#declare(node)
        return
      case 'FunctionDeclaration':
        // Without a name only as a default export, which is dealt with below.
        if (node.id) this.#defineFunction(node.id.name)
        return
      case 'ExportNamedDeclaration':
        this.#exportNamed(node)
        return
      case 'ExportDefaultDeclaration':
        if (isFunction(node.declaration)) this.functions.push('default')
        else if (node.declaration.type === 'ClassDeclaration') this.#refuse(node.declaration, 'a class')
        // A default export is a declaration, of which two kinds are dealt with above, or else an expression.
        else this.values.set('default', this.#evaluator.evaluate(node.declaration as Expression))
        return
      case 'EmptyStatement':
        return
      case 'ImportDeclaration':
      case 'ExportAllDeclaration':
        this.#refuse(node, 'an import')
        return
      default:
        // `'use strict'` does nothing in a module.
        if (node.type === 'ExpressionStatement' && node.directive !== undefined) return
        this.#refuse(node, 'code')
    }
  }

  /** Defines what a declaration declares and gives the names. */
  #declare(node: Declaration): readonly string[] {
    if (node.type === 'ClassDeclaration') return this.#refuse(node, 'a class')
    if (node.type === 'FunctionDeclaration') return [this.#defineFunction(node.id.name)]
    return node.declarations.map(({ id, init }) => {
      if (id.type !== 'Identifier') return this.#refuse(id, 'a pattern')
      if (isFunction(init)) return this.#defineFunction(id.name)
      if (!init) return this.#refuse(id, 'a variable without a value')
      this.#evaluator.define(id.name, init)
      return id.name
    })
  }

  #defineFunction(name: string): string {
    this.#functionNames.add(name)
    this.#evaluator.defineFunction(name)
    return name
  }

  #exportNamed(node: ExportNamedDeclaration): void {
    if (node.source) this.#refuse(node, 'an import')
    if (node.declaration) for (const name of this.#declare(node.declaration)) this.#export(name, name)
    for (const { local, exported } of node.specifiers) {
      if (local.type === 'Identifier') this.#export(local.name, nameOf(exported))
    }
  }

  #export(local: string, exported: string): void {
    if (this.#functionNames.has(local)) this.functions.push(exported)
    else this.values.set(exported, this.#evaluator.constant(local))
  }
}

const nameOf = (node: { readonly type: string; readonly name?: string; readonly value?: unknown }): string =>
  node.name ?? String(node.value)
