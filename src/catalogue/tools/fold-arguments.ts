/** The arguments of several queries in words, for the one tool that they fold into: what they have in common is said once. */
import type { ParameterInWords } from '../../schema/arguments.ts'

/** Characters of all arguments of a tool together: descriptions are cut to keep to it, facts never are. */
const mostCharacters = 4000
/** Lengths that descriptions are cut to, the longest that fits. */
const lengths = [Number.POSITIVE_INFINITY, 160, 80, 0]

interface NamedQuery {
  readonly name: string
  readonly parameters: readonly ParameterInWords[]
}

/** A paragraph with a line for each argument; empty where there are none. */
export const argumentsInWords = (queries: readonly NamedQuery[]): string => {
  const texts = lengths.map((longest) => paragraphOf(queries, longest))
  return texts.find((text) => text.length <= mostCharacters) ?? texts.at(-1) ?? ''
}

const paragraphOf = (queries: readonly NamedQuery[], longest: number): string => {
  const all = queries.flatMap(({ name, parameters }) => parameters.map((parameter) => ({ query: name, parameter })))
  const lines = [...Map.groupBy(all, ({ parameter }) => parameter.name)].flatMap(([name, uses]) => {
    // "Most departures", "most lines": of a number of rows only the default differs in a way that matters.
    const spoken = Map.groupBy(uses, ({ parameter }) =>
      parameter.countsRows ? `(${parameter.takes}) Most rows.` : inWords(parameter, longest),
    )
    return [...spoken].map(([text, same]) => {
      const where = spoken.size === 1 ? '' : ` of ${same.map(({ query }) => query).join(', ')}`
      return `- ${name}${where} ${text}${defaultsOf(same)}`
    })
  })
  return lines.length === 0 ? '' : `Arguments:\n${lines.join('\n')}\n`
}

const inWords = ({ takes, description }: ParameterInWords, longest: number): string =>
  longest === 0 ? `(${takes})` : `(${takes}) ${shortened(description, longest)}`

const shortened = (text: string, longest: number): string =>
  text.length <= longest ? text : `${text.slice(0, longest).replace(/\s+\S*$/, '')} …`

/** `Unless given: 20`, or by query where they differ. */
const defaultsOf = (uses: readonly { readonly query: string; readonly parameter: ParameterInWords }[]): string => {
  const given = uses.flatMap(({ query, parameter }) =>
    parameter.default === undefined ? [] : [{ query, standard: JSON.stringify(parameter.default) }],
  )
  const values = Map.groupBy(given, ({ standard }) => standard)
  if (values.size === 0) return ''
  const told = [...values].map(([standard, same]) =>
    values.size === 1 ? standard : `${standard} in ${same.map(({ query }) => query).join(', ')}`,
  )
  return ` Unless given: ${told.join('; ')}.`
}
