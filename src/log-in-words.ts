/** A line of the log as a person at a terminal reads it. Pure. */
import { z } from 'zod'

const line = z.looseObject({
  level: z.number(),
  msg: z.string().optional(),
  /** There where what is told here is the command's result as well. */
  inResult: z.boolean().optional(),
  err: z.looseObject({ message: z.string().optional(), stack: z.string().optional() }).optional(),
})

const levels = { warn: 40, error: 50 } as const

/** Facts that the words themselves say, or nobody at a terminal asks for. */
const unsaid = new Set(['level', 'time', 'msg', 'err', 'dataset', 'run', 'code', 'url', 'waitMs', 'inResult'])

/** The words of a line of JSON; empty where they are told elsewhere. */
export const logInWords = (json: string): string => {
  const { level, msg = '', err, inResult, ...facts } = line.parse(JSON.parse(json))
  if (inResult === true && level >= levels.error) return ''
  const kind = level >= levels.error ? 'error: ' : level >= levels.warn ? 'warning: ' : ''
  const dataset = typeof facts.dataset === 'string' && !msg.includes(facts.dataset) ? `${facts.dataset}: ` : ''
  const said = Object.entries(facts).flatMap(([name, value]) =>
    unsaid.has(name) ? [] : [`${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`],
  )
  // What has a code is worded; the way to where it was thrown helps with everything else.
  const isWorded = typeof facts.code === 'string' && facts.code !== 'INTERNAL'
  const why = isWorded ? undefined : (err?.stack ?? err?.message)
  // A stack begins with the error's own words.
  const words = why?.includes(msg) === true ? why : `${msg}${why === undefined ? '' : `\n${why}`}`
  return `${kind}${dataset}${words}${said.length === 0 ? '' : ` (${said.join(', ')})`}\n`
}
