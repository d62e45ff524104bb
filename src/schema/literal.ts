/**
 * The value of an expression that is nothing but data, computed from its syntax tree. Nothing is run: what is not a
 * literal, made of literals, or the name of a literal defined earlier, is refused.
 */
import type { Expression, Node, ObjectExpression, Property, SpreadElement } from 'acorn'

export type Literal = string | number | boolean | null | undefined | readonly Literal[] | LiteralObject
export interface LiteralObject {
  readonly [key: string]: Literal
}

/** Refuses a node: throws, naming where it stands and what was found. */
export type Refuse = (node: Node, found: string) => never

/**
 * Hears of what was refused within a value, which then is left out: `place` are the keys that lead to it. For checks that
 * tell all of a file's mistakes at once; without it the first one ends the reading.
 */
export type OnRefused = (error: unknown, place: string) => void

/** Nodes and characters that a file's values may come to, counting what is referred to every time. */
const budget = 2_000_000

const isObject = (value: Literal): value is LiteralObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The evaluator of one file, which knows the constants defined so far. */
export class LiteralEvaluator {
  readonly #constants = new Map<string, { readonly value: Literal; readonly cost: number }>()
  readonly #functions = new Set<string>()
  readonly #refuse: Refuse
  readonly #onRefused: OnRefused | undefined
  readonly #place: string[] = []
  #spent = 0

  constructor(refuse: Refuse, onRefused?: OnRefused) {
    this.#refuse = refuse
    this.#onRefused = onRefused
  }

  /** Defines a constant for the expressions that follow, and gives its value. */
  define(name: string, expression: Expression): Literal {
    const before = this.#spent
    const value = this.evaluate(expression)
    this.#constants.set(name, { value, cost: this.#spent - before })
    return value
  }

  /** Remembers that a name is a function's, to say so where it is used as data. */
  defineFunction(name: string): void {
    this.#functions.add(name)
  }

  /** The value of a name defined before, or undefined where it has none. */
  constant(name: string): Literal {
    return this.#constants.get(name)?.value
  }

  evaluate(node: Expression): Literal {
    this.#spend(node, 1)
    switch (node.type) {
      case 'Literal':
        return this.#literal(node, node.value)
      case 'TemplateLiteral': {
        if (node.expressions.length > 0) return this.#refuse(node, 'a template with a computed part')
        return this.#literal(node, node.quasis[0]?.value.cooked ?? '')
      }
      case 'Identifier':
        return this.#named(node, node.name)
      case 'UnaryExpression':
        return this.#signed(node, node.operator, this.evaluate(node.argument))
      case 'BinaryExpression': {
        if (node.operator !== '+' || node.left.type === 'PrivateIdentifier') {
          return this.#refuse(node, `a computation with ${node.operator}`)
        }
        return this.#joined(node, this.evaluate(node.left), this.evaluate(node.right))
      }
      case 'ArrayExpression':
        return node.elements.flatMap((element) => {
          if (element === null) return [undefined]
          if (element.type !== 'SpreadElement') return [this.evaluate(element)]
          const spread = this.evaluate(element.argument)
          return Array.isArray(spread) ? spread : this.#refuse(element, 'a spread of something that is no list')
        })
      case 'ObjectExpression':
        return this.#object(node)
      case 'ParenthesizedExpression':
        return this.evaluate(node.expression)
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        return this.#refuse(node, 'a function')
      case 'CallExpression':
      case 'NewExpression':
      case 'ImportExpression':
        return this.#refuse(node, 'a call')
      default:
        return this.#refuse(node, `code (${node.type})`)
    }
  }

  #spend(node: Node, cost: number): void {
    this.#spent += cost
    if (this.#spent > budget) this.#refuse(node, 'more data than a schema can have')
  }

  #literal(node: Node, value: unknown): Literal {
    if (typeof value === 'string') this.#spend(node, value.length)
    else if (typeof value !== 'number' && typeof value !== 'boolean' && value !== null) {
      return this.#refuse(node, 'a regular expression or big integer')
    }
    return value
  }

  #named(node: Node, name: string): Literal {
    if (name === 'undefined') return undefined
    const known = this.#constants.get(name)
    if (known !== undefined) {
      this.#spend(node, known.cost)
      return known.value
    }
    return this.#refuse(node, this.#functions.has(name) ? 'a function' : 'a name that no constant above it defines')
  }

  #signed(node: Node, operator: string, value: Literal): Literal {
    if (typeof value !== 'number' || (operator !== '-' && operator !== '+')) {
      return this.#refuse(node, `a computation with ${operator}`)
    }
    return operator === '-' ? -value : value
  }

  #joined(node: Node, left: Literal, right: Literal): Literal {
    if (typeof left !== 'string' || typeof right !== 'string') return this.#refuse(node, 'a sum of what is not text')
    this.#spend(node, left.length + right.length)
    return left + right
  }

  #object(node: ObjectExpression): LiteralObject {
    const entries = node.properties.flatMap((property) => this.#entries(property))
    // Made of entries, so that no key can reach a prototype.
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
  }

  #entries(property: Property | SpreadElement): readonly (readonly [string, Literal])[] {
    if (property.type === 'SpreadElement') {
      const spread = this.evaluate(property.argument)
      return isObject(spread)
        ? Object.entries(spread)
        : this.#refuse(property, 'a spread of something that is no object')
    }
    if (property.kind !== 'init' || property.method) return this.#refuse(property, 'a function')
    const { key } = property
    const name = key.type === 'Identifier' && !property.computed ? key.name : this.evaluate(key)
    if (typeof name !== 'string' && typeof name !== 'number') return this.#refuse(key, 'a key that is no text')
    if (name === '__proto__') return this.#refuse(key, 'the key __proto__')
    return [[String(name), this.#at(String(name), property.value)]]
  }

  /** The value of a key; undefined, and so left out, where it was refused and somebody hears of it. */
  #at(name: string, node: Expression): Literal {
    if (this.#onRefused === undefined) return this.evaluate(node)
    this.#place.push(name)
    try {
      return this.evaluate(node)
    } catch (error) {
      // Past its budget a file is not read on: every value that is left would be refused.
      if (this.#spent > budget || error instanceof RangeError) throw error
      this.#onRefused(error, this.#place.join('.'))
      return undefined
    } finally {
      this.#place.pop()
    }
  }
}
