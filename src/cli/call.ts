/** `stichtag call`: what a host would get from any tool of the catalogue. */
import { z } from 'zod'
import type { Catalogue } from '../catalogue/types.ts'
import { StichtagError } from '../errors.ts'
import { openCommandCatalogue } from './catalogue.ts'
import { suggestion } from './nearest.ts'
import { parseParameters } from './query.ts'
import type { StoreFlags } from './stores.ts'
import { terminal } from './terminal.ts'

export interface CallFlags extends StoreFlags {
  /** All arguments as a JSON object, in place of `name=value`. */
  readonly arguments?: string
  readonly json?: boolean
}

const properties = z.record(z.string(), z.looseObject({ type: z.string().optional() }))

/**
 * `name=value` texts as the types that a tool's input schema names: numbers, truth values, lists (`a,b` or JSON) and
 * objects (JSON). What does not fit stays text, so that the tool itself says what it takes.
 */
export const typedArguments = (
  texts: Readonly<Record<string, string>>,
  inputSchema: Readonly<Record<string, unknown>> | undefined,
): Record<string, unknown> => {
  const types = properties.catch({}).parse(inputSchema?.properties)
  // A tool that is not listed is a query, which takes texts, or all queries of a dataset, whose `arguments` is an object.
  const typeOf = (name: string): string | undefined => (inputSchema === undefined ? 'object' : types[name]?.type)
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, typed(text, typeOf(name))]))
}

const typed = (text: string, type: string | undefined): unknown => {
  switch (type) {
    case 'integer':
    case 'number':
      return text.trim() !== '' && String(Number(text)) === text ? Number(text) : text
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text
    case 'array':
      return jsonOf(text, '[') ?? text.split(',').map((item) => item.trim())
    case 'object':
      return jsonOf(text, '{') ?? text
    default:
      return text
  }
}

/** The JSON that a text is, where it begins like it; undefined where it is none. */
const jsonOf = (text: string, begin: string): unknown => {
  if (!text.trimStart().startsWith(begin)) return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const jsonObject = z.record(z.string(), z.unknown())

const argumentsOf = (
  catalogue: Catalogue,
  tool: string,
  pairs: readonly string[],
  json: string | undefined,
): Readonly<Record<string, unknown>> => {
  if (json === undefined) {
    const schema = catalogue.listTools().find(({ name }) => name === tool)?.inputSchema
    return typedArguments(parseParameters(pairs), schema)
  }
  if (pairs.length > 0) throw new StichtagError('USAGE', 'give name=value, or --arguments, not both')
  const parsed = jsonObject.safeParse(jsonOf(json, '{'))
  if (!parsed.success) throw new StichtagError('USAGE', `--arguments must be a JSON object, not ${json}`)
  return parsed.data
}

export const call = async (tool: string, pairs: readonly string[], flags: CallFlags): Promise<number> => {
  const catalogue = await openCommandCatalogue(flags, { watch: false, readers: 2 })
  try {
    const current = catalogue.source.current
    if (!current.hasTool(tool)) {
      const known = current.listTools().map(({ name }) => name)
      const message = `there is no tool ${tool}. There are: ${known.join(', ')}.${suggestion(tool, known)}`
      throw new StichtagError('USAGE', message)
    }
    const answer = await current.call(tool, argumentsOf(current, tool, pairs, flags.arguments))
    if (!answer.ok) throw new StichtagError(answer.code, answer.message)
    terminal.json(answer.structured)
    return 0
  } finally {
    await catalogue.close()
  }
}
