/** Names of tools: what every host and FlowMCP's convention can bear (DESIGN §4.5). */
import { createHash } from 'node:crypto'

/** Hosts add a prefix and allow 64 characters in all. */
export const longestName = 49
const hashLength = 8

/** A name in the letters a tool's name may have; a longer one is cut and ends in a hash of the whole. */
export const toolName = (wanted: string): string => {
  const name = wanted.replace(/[^A-Za-z0-9_-]/g, '_')
  return name.length <= longestName && name === wanted ? name : withHash(name, wanted)
}

/** The name with a hash: also for a second tool that would be called the same. */
export const withHash = (name: string, wanted: string): string =>
  `${name.slice(0, longestName - hashLength - 1)}_${createHash('sha256').update(wanted).digest('hex').slice(0, hashLength)}`

/** `{query}_{namespace}`, as FlowMCP names it. */
export const queryToolName = (query: string, namespace: string): string => toolName(`${query}_${namespace}`)
