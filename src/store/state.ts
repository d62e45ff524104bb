/**
 * state.json of a dataset: what its last run did, when the next is due, which deliveries are held, and how the pointer
 * moved. Written by rename, so that readers (the gateway among them) always see a whole one.
 */
import { z } from 'zod'

export const outcomes = ['published', 'unchanged', 'refused', 'failed', 'busy'] as const
export type Outcome = (typeof outcomes)[number]

const reasonSchema = z.object({ code: z.string(), message: z.string() })

const validatorsSchema = z.record(
  z.string(),
  z.object({ url: z.string(), etag: z.string().optional(), lastModified: z.string().optional(), sha256: z.string() }),
)

export const stateSchema = z.object({
  format: z.literal(1),
  dataset: z.string(),
  lastRun: z
    .object({
      run: z.string(),
      outcome: z.enum(outcomes),
      at: z.string(),
      reason: reasonSchema.optional(),
      /** There where a person gave the delivery: by `--from`, or as `--sample`. */
      byHand: z.literal(true).optional(),
    })
    .nullable(),
  /** When the next scheduled run is due (ISO 8601); null where nothing schedules this dataset. */
  nextRun: z.string().nullable(),
  /** Cron expression and time zone that `nextRun` was counted by: another one now means that it is counted anew. */
  schedule: z.object({ cron: z.string(), timeZone: z.string() }).optional(),
  /** Failed runs in a row; left out where the last one did not fail. The next tries come sooner by it. */
  failures: z.number().int().positive().optional(),
  /**
   * When a run last confirmed that current is what the publisher has (published or unchanged). Null where nobody asked since
   * it became current: it was given by hand, or a person moved the pointer to it.
   */
  confirmedAt: z.string().nullable(),
  /** HTTP validators of the delivery that current was built from, by source name. */
  validators: validatorsSchema,
  /** The delivery that was refused last, until a new one comes: it is refused again without being built. */
  refused: z
    .object({
      version: z.string(),
      validators: validatorsSchema,
      reason: reasonSchema,
      /** Mapping and converter that it was built with: others may make something better of it. */
      builtWith: z.string().optional(),
    })
    .nullable(),
  /** Content digests whose delivery a rollback rejected, with the version that was rejected. */
  held: z.array(z.object({ contentDigest: z.string(), version: z.string(), since: z.string() })),
  /** Versions that prune must keep. */
  pins: z.array(z.string()),
  /**
   * The version that is about to get its final name and then the pointer. Found at the start of a run it is that of a
   * run which died in between: a leftover, unless the pointer names it.
   */
  publishing: z.string().optional(),
  /** Moves of the pointer, newest last, at most 100. */
  history: z.array(z.object({ version: z.string(), at: z.string(), by: z.enum(['publish', 'rollback', 'release']) })),
})

export type State = z.infer<typeof stateSchema>
export type Validators = z.infer<typeof validatorsSchema>
export type Reason = z.infer<typeof reasonSchema>

/** The state of a dataset that has never been run. */
export const emptyState = (dataset: string): State => ({
  format: 1,
  dataset,
  lastRun: null,
  nextRun: null,
  confirmedAt: null,
  validators: {},
  refused: null,
  held: [],
  pins: [],
  history: [],
})
