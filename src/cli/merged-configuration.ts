/** One server put into a host's configuration, everything else left as it is. Text in, text out. */
import { z } from 'zod'
import { StichtagError } from '../errors.ts'
import type { Entry } from './host-configurations.ts'

/** Name under which hosts know the gateway. */
export const serverName = 'stichtag'

const objectSchema = z.record(z.string(), z.unknown())

const unreadable = (message: string): StichtagError =>
  new StichtagError(
    'NOT_WHAT_IT_SAYS',
    `The host's configuration ${message}. Nothing was written: put the entry in by hand.`,
  )

/**
 * The JSON text with the entry under `servers`; of an empty text or none, a text with only that.
 * @throws NOT_WHAT_IT_SAYS where it is no JSON object, for example because it has comments, which would be lost.
 */
export const mergedJson = (text: string, servers: string, entry: Entry): string => {
  const whole = text.trim() === '' ? {} : parsedObject(text)
  const listed = whole[servers] === undefined ? {} : objectSchema.safeParse(whole[servers]).data
  if (listed === undefined) throw unreadable(`has something other than an object at "${servers}"`)
  const indent = /^[ \t]+(?=")/m.exec(text)?.[0] ?? '  '
  return `${JSON.stringify({ ...whole, [servers]: { ...listed, [serverName]: entry } }, null, indent)}\n`
}

const parsedObject = (text: string): Readonly<Record<string, unknown>> => {
  try {
    return objectSchema.parse(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) throw unreadable(`is not plain JSON (${error.message})`)
    throw unreadable('is no JSON object')
  }
}

/**
 * The TOML text with the entry's table in place of an earlier one, or at the end.
 * @throws NOT_WHAT_IT_SAYS where the servers are written in a way that has no tables to replace.
 */
export const mergedToml = (text: string, servers: string, entry: Entry): string => {
  const lines = text.split('\n')
  // `mcp_servers = {…}` or `[mcp_servers] stichtag = {…}`: a second definition would make the file invalid.
  const header = new RegExp(`^\\s*\\[\\s*${servers}\\s*\\.\\s*"?${serverName}"?\\s*[.\\]]`)
  if (lines.some((line) => new RegExp(`^\\s*(?:${servers}\\s*[.=]|"?${serverName}"?\\s*[.=])`).test(line))) {
    throw unreadable(`defines "${servers}" or "${serverName}" in one line`)
  }
  let isOurs = false
  const others = lines.filter((line) => {
    if (/^\s*\[/.test(line)) isOurs = header.test(line)
    return !isOurs
  })
  const kept = others.join('\n').trimEnd()
  return `${kept === '' ? '' : `${kept}\n\n`}${tomlTable(`${servers}.${serverName}`, entry)}`
}

const tomlTable = (name: string, entry: Entry): string => {
  const values = Object.entries(entry).filter(([, value]) => !isTable(value))
  const tables = Object.entries(entry).flatMap(([key, value]) => (isTable(value) ? [[key, value] as const] : []))
  return [
    `[${name}]\n${values.map(([key, value]) => `${key} = ${tomlValue(value)}\n`).join('')}`,
    ...tables.map(([key, value]) => tomlTable(`${name}.${key}`, value)),
  ].join('\n')
}

const isTable = (value: unknown): value is Entry => typeof value === 'object' && value !== null && !Array.isArray(value)

/** JSON's texts and lists of texts are TOML's as well. */
const tomlValue = (value: unknown): string => JSON.stringify(value)
