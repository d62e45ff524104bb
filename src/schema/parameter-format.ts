/** Formats of text parameters: days and times, which SQL would answer with nothing, or wrongly, where they are none. */
import { z } from 'zod'
import type { ParameterFormat } from './types.ts'

interface Format {
  readonly pattern: RegExp
  readonly says: string
  readonly exists: (text: string) => boolean
}

const dayPattern = /^(?:\d{4}-\d{2}-\d{2}|\d{8}|\d{2}\.\d{2}\.\d{4})$/
// To 47:59: the night after a service day, and the one after that. Seconds may be there and do not count.
const timePattern = /^(?:[0-3]?\d|4[0-7]):[0-5]\d(?::[0-5]\d)?$/

/** The day that a text is, as YYYY-MM-DD; undefined where it is none. */
export const isoDay = (text: string): string | undefined => {
  if (!dayPattern.test(text)) return undefined
  const digits = text.replaceAll(/\D/g, '')
  const [year, month, day] = text.includes('.')
    ? [digits.slice(4), digits.slice(2, 4), digits.slice(0, 2)]
    : [digits.slice(0, 4), digits.slice(4, 6), digits.slice(6)]
  const iso = `${year}-${month}-${day}`
  const instant = new Date(`${iso}T00:00:00Z`)
  const isThere = !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(iso)
  return isThere ? iso : undefined
}

const formats: Readonly<Record<ParameterFormat, Format>> = {
  date: {
    pattern: dayPattern,
    says: 'must be a day that exists, as YYYY-MM-DD, YYYYMMDD or DD.MM.YYYY',
    exists: (text) => isoDay(text) !== undefined,
  },
  time: {
    pattern: timePattern,
    says: 'must be a time of day as HH:MM, such as 08:30 or 20:30; after midnight as 24:30',
    exists: () => true,
  },
}

export const isParameterFormat = (value: unknown): value is ParameterFormat =>
  typeof value === 'string' && Object.hasOwn(formats, value)

/** A text of this format. */
export const formattedField = (format: ParameterFormat): z.ZodString => {
  const { pattern, says, exists } = formats[format]
  const refused = ({ input }: { readonly input?: unknown }) => `${says}, not ${JSON.stringify(input)}`
  return z
    .string()
    .regex(pattern, { error: refused })
    .refine((text) => !pattern.test(text) || exists(text), { error: refused })
}
