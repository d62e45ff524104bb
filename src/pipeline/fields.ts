/**
 * Reading a JSON record strictly: a mandatory field that is missing rejects the record, a field of the wrong type
 * does too, and fields left over after mapping are counted, so that a source that renames one cannot slip through.
 */
import type { FieldReader, MapContext } from './types.ts'

type JsonObject = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const describe = (value: unknown): string => (Array.isArray(value) ? 'a list' : value === null ? 'null' : typeof value)

class Fields implements FieldReader {
  readonly #object: JsonObject
  readonly #path: string
  readonly #context: MapContext
  /** A record has few fields, so that a list is quicker than a set. */
  readonly #taken: string[] = []

  constructor(object: JsonObject, path: string, context: MapContext) {
    this.#object = object
    this.#path = path
    this.#context = context
  }

  text(name: string): string | null {
    const value = this.#take(name)
    if (value === null) return null
    if (typeof value === 'string') return value
    if (typeof value === 'number' || typeof value === 'boolean') return String(value)
    return this.#reject(name, 'text', value)
  }

  requiredText(name: string): string {
    // A name that is true or a number that is false is a mistake of the publisher's, and no text of theirs.
    if (typeof this.#object[name] === 'boolean') return this.#reject(name, 'text', this.#object[name])
    const value = this.text(name)
    return value === null || value === '' ? this.#context.reject(`${this.#path}${name} is missing`) : value
  }

  flag(name: string): boolean | null {
    const value = this.#take(name)
    return value === null || typeof value === 'boolean' ? value : this.#reject(name, 'true or false', value)
  }

  object(name: string): FieldReader | null {
    const value = this.#take(name)
    if (value === null) return null
    if (!isObject(value)) return this.#reject(name, 'an object', value)
    return new Fields(value, `${this.#path}${name}.`, this.#context)
  }

  list(name: string): readonly FieldReader[] {
    const value = this.#take(name)
    if (value === null) return []
    if (!Array.isArray(value)) return this.#reject(name, 'a list', value)
    return value.map((item: unknown) =>
      isObject(item) ? new Fields(item, `${this.#path}${name}[].`, this.#context) : this.#reject(name, 'objects', item),
    )
  }

  json(name: string): string | null {
    const value = this.#take(name)
    return value === null ? null : JSON.stringify(value)
  }

  rest(): JsonObject | null {
    let left: Record<string, unknown> | null = null
    for (const name of Object.keys(this.#object)) {
      if (this.#taken.includes(name)) continue
      this.#context.unknown(`${this.#path}${name}`)
      left ??= Object.create(null) as Record<string, unknown> // no prototype: a field may be named __proto__
      left[name] = this.#object[name]
    }
    return left
  }

  #take(name: string): unknown {
    this.#taken.push(name)
    const value = this.#object[name]
    // What every object has is no field of this one.
    return value === undefined || typeof value === 'function' || value === Object.prototype ? null : value
  }

  #reject(name: string, wanted: string, value: unknown): never {
    return this.#context.reject(`${this.#path}${name} should be ${wanted}, but is ${describe(value)}`)
  }
}

/** A reader of a record's fields. Rejects the record where it is no object. */
export const fieldsOf = (record: unknown, context: MapContext): FieldReader =>
  isObject(record) ? new Fields(record, '', context) : context.reject(`expected an object, but got ${describe(record)}`)
