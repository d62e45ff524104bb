/**
 * What a server said of the file that a part belongs to: `<name>.part.json` beside `<name>.part`. By it a later run knows
 * whether what is there can be continued.
 */
import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'

const descriptionSchema = z.object({
  url: z.string(),
  etag: z.string().optional(),
  lastModified: z.string().optional(),
  /** Size of the whole file. */
  total: z.number().int().optional(),
})

/** What the server said of the file that a part belongs to. */
export type PartDescription = z.infer<typeof descriptionSchema>

/** Where the description of a part lies. */
export const descriptionPath = (part: string): string => `${part}.json`

/** The description beside a part; undefined where there is none, or a damaged one, which nothing depends on. */
export const readDescription = (part: string): PartDescription | undefined => {
  const path = descriptionPath(part)
  if (!existsSync(path)) return undefined
  const parsed = descriptionSchema.safeParse(jsonOrUndefined(readFileSync(path, 'utf8')))
  return parsed.success ? parsed.data : undefined
}

const jsonOrUndefined = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The validator for If-Range, which takes no weak ETag (RFC 9110 §13.1.5). */
export const validatorOf = ({ etag, lastModified }: PartDescription): string | undefined =>
  etag !== undefined && !etag.startsWith('W/') ? etag : lastModified
