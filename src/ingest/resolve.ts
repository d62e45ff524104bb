/**
 * Resolve: where a source has no address that stays, its pipeline looks up today's one. The declared URL is what is
 * recorded; the one that was found is what the run fetches, with the size and checksums that the publisher says of it.
 */
import { z } from 'zod'
import { asStichtagError, StichtagError } from '../errors.ts'
import type { SourceDefinition } from '../pipeline/types.ts'
import { downloadsFolder } from '../store/layout.ts'
import type { Execution } from './execute.ts'
import { datedByName, describedByIndex } from './local-index.ts'
import { isRemote } from './location.ts'
import { lookupWith } from './lookup.ts'
import { type Plan, type PlannedFile, withKnown } from './plan.ts'
import { lookupsFolder } from './raw-files.ts'

const digest = (digits: number) =>
  z
    .string()
    .regex(new RegExp(`^[0-9a-fA-F]{${digits}}$`), `must be ${digits} hexadecimal digits`)
    .transform((text) => text.toLowerCase())

const remoteSchema = z.strictObject({
  url: z.string().refine(isRemote, 'must be an http or https URL'),
  bytes: z.number().int().min(1).optional(),
  sha1: digest(40).optional(),
  sha256: digest(64).optional(),
  publisherDate: z.string().optional(),
  records: z.number().int().min(0).optional(),
})

const resolved = async (source: SourceDefinition, file: PlannedFile, execution: Execution): Promise<PlannedFile> => {
  if (source.resolve === undefined) return file
  const { store, signal, log, pipeline, state, current, options } = execution
  const { id } = pipeline.definition
  const lookup = lookupWith({ folder: lookupsFolder(downloadsFolder(store, id)), signal, log })
  let found: unknown
  try {
    found = await source.resolve({ ...lookup, url: source.url, signal })
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof StichtagError) throw error
    const { message } = asStichtagError(error)
    throw new StichtagError('PIPELINE_INVALID', `${id}: looking up ${source.name} failed: ${message}`, {
      data: { dataset: id, source: source.name },
      cause: error,
    })
  }
  const parsed = remoteSchema.safeParse(typeof found === 'string' ? { url: found } : found)
  if (!parsed.success) {
    const why = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`.trim()).join('; ')
    throw new StichtagError('NOT_WHAT_IT_SAYS', `${id}: looking up ${source.name} found no file: ${why}`, {
      data: { dataset: id, source: source.name },
    })
  }
  const { url, publisherDate, records, ...expected } = parsed.data
  const said = { publisherDate, records }
  return withKnown({ ...file, location: url, expected, said }, { state, current, options })
}

/** The plan with today's addresses in place of those that its pipeline looks up, and what an index says of local files. */
export const resolvePlan = async (plan: Plan, execution: Execution): Promise<Plan> => {
  const files: PlannedFile[] = []
  for (const file of plan.files) {
    const source = execution.pipeline.definition.sources.find(({ name }) => name === file.name)
    if (source === undefined) files.push(file)
    else if (plan.origin === 'declared') files.push(await resolved(source, file, execution))
    else files.push(datedByName(describedByIndex(file, source), source))
  }
  return { ...plan, files }
}
