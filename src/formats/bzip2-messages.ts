/** What the bzip2 thread is given, and what it says. */
import { z } from 'zod'

/** `credits` counts the chunks it may still send before the consumer has taken one: memory stays flat. */
export const inputSchema = z.object({ path: z.string(), credits: z.instanceof(Int32Array) })

export const messageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('chunk'), bytes: z.instanceof(Uint8Array) }),
  z.object({ kind: z.literal('end'), trailing: z.boolean() }),
  z.object({ kind: z.literal('fault'), fault: z.enum(['cut', 'damaged']), words: z.string() }),
])

export type Bzip2Message = z.infer<typeof messageSchema>
