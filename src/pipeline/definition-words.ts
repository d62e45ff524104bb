/** What is wrong with a definition in words that say what is allowed, where the checks themselves have none. */
import type { z } from 'zod'

/** Words for kinds of values, as the writer of a definition knows them. */
const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list [ … ]',
  object: 'an object { … }',
  record: 'an object { … }',
}

const listed = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(', ')

/** An error map for zod: words for its own findings; those that a schema words itself stay. */
export const definitionWords: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type': {
      const kind = kinds[issue.expected] ?? issue.expected
      return issue.input === undefined ? `is missing: it must be ${kind}` : `must be ${kind}, not ${shown(issue.input)}`
    }
    case 'invalid_value': {
      const must = `must be ${issue.values.length > 1 ? 'one of ' : ''}${listed(issue.values)}`
      return issue.input === undefined ? `is missing: it ${must}` : `${must}, not ${shown(issue.input)}`
    }
    case 'unrecognized_keys':
      return `does not know ${issue.keys.join(', ')}`
    case 'invalid_format':
      return issue.format === 'url'
        ? `must be a URL such as https://example.org/, not ${shown(issue.input)}`
        : undefined
    case 'too_small':
      return issue.origin === 'string'
        ? 'must not be empty'
        : issue.origin === 'array'
          ? `must have at least ${issue.minimum}`
          : `must be ${issue.minimum} or more`
    case 'too_big':
      return `must be ${issue.maximum} or less`
    case 'invalid_key':
      return issue.issues.map(({ message }) => message).join('; ')
    case 'invalid_union':
      return Array.isArray(issue.options)
        ? `must be one of ${listed(issue.options)}, not ${shown(issue.input)}`
        : undefined
    default:
      return undefined
  }
}

const longestShown = 60

/** A value as it may stand in a message. Functions and the like have no JSON. */
const shown = (value: unknown): string => (JSON.stringify(value) ?? typeof value).slice(0, longestShown)
