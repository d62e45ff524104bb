/** What screen_name takes and answers, as hosts are told. */
import { z } from 'zod'
import { saidListKinds } from '../screening/lists.ts'
import { originFields, truncatedField } from './tool.ts'

/** Score from which a hit is shown unless said; docs/screening.md says how it was found. */
export const defaultThreshold = 0.85

/** Arguments of screen_name. */
export const input = z.object({
  name: z
    .string()
    .min(1)
    .max(300)
    .describe(
      'Name of a person, organisation, ship or aircraft, words in any order, in Latin letters: most lists have no others.',
    ),
  datasets: z
    .array(z.string())
    .min(1, 'it names no list, so nothing would be searched: leave it out to search all sanctions lists')
    .optional()
    .describe(
      'Ids of the lists to search, of any kind. Without it: all sanctions lists that are installed, invented samples only ' +
        'where no other is; lists of politically exposed people, of crime and of debarments only where they are named here.',
    ),
  limit: z.int().min(1).max(50).default(20).describe('Most hits, 1 to 50; 20 without it.'),
  threshold: z
    .number()
    .min(0.5)
    .max(1)
    .default(defaultThreshold)
    .describe(
      `Least score, 0.5 to 1; ${defaultThreshold} without it. Lower it where a name may be transcribed otherwise.`,
    ),
})

const problem = z.object({ dataset: z.string(), code: z.string(), message: z.string() })

const listKind = z
  .enum(saidListKinds)
  .describe(
    'What the list is: of sanctions; pep: people in public office, which is no suspicion; crime; debarment; mixed: ' +
      'several kinds; other; undeclared: it does not say. Only sanctions may be called so.',
  )

/** What screen_name answers. */
export const output = z.object({
  name: z.string(),
  partly: z.string().optional().describe('There where only the beginning of the name was compared.'),
  note: z.string().describe('What a hit means, and what none means: say it with the answer.'),
  sample: z.string().optional().describe('There where invented records were searched.'),
  threshold: z.number(),
  hits: z.array(
    z.looseObject({
      score: z.number().describe('0 to 1: how much of the two names agrees; 1 is the same words in any order.'),
      dataset: z.string(),
      list: z.string(),
      listKind,
      version: z.string(),
      asOf: z.string(),
      asOfIs: originFields.asOfIs,
      uri: z.string().describe('The record, whole: give it to fetch.'),
      noRecord: z
        .string()
        .optional()
        .describe('There where the list has no such record, and uri is the dataset’s own.'),
      entity: z.string().describe('Name under which the list leads the entity.'),
      matchedName: z.string().describe('The name of it that is most like the one looked up.'),
      partly: z.string().optional().describe('There where only the beginning of that name was compared.'),
      kind: z.string().nullable().describe('primary, alias, former, …'),
      strength: z.string().nullable().describe('weak: an alias that the list itself calls of low quality.'),
      type: z.string().describe('person, organisation, vessel, aircraft, other.'),
      listedOn: z.string().optional(),
      programs: z.array(z.string()),
      birthDates: z.array(z.string()),
      sample: z.string().optional(),
    }),
  ),
  truncated: truncatedField,
  lists: z
    .array(
      z.object({
        ...originFields,
        title: z.string(),
        listKind,
        state: z.string(),
        entries: z.number().optional().describe('Entries of the list.'),
        expectedRows: z
          .record(z.string(), z.number())
          .optional()
          .describe('Least rows that a whole list has, by table. Fewer: a problem INCOMPLETE.'),
        from: z.array(z.string()).optional().describe('The files or URLs that it was read from.'),
        confirmedAt: z
          .string()
          .nullable()
          .optional()
          .describe('When it was last confirmed as what the publisher has; null: nobody has asked the publisher.'),
        hits: z.number(),
      }),
    )
    .describe(
      'The lists that were searched: in which version, as of when, how many entries, whence, under which licence, and ' +
        'how many entities scored enough.',
    ),
  leftOut: z
    .array(z.object({ dataset: z.string(), why: z.string() }))
    .describe('Lists that are here and not searched.'),
  problems: z
    .array(problem)
    .describe(
      'What makes the answer worth less, by codes: lists that are missing or could not be searched whole, INCOMPLETE, ' +
        'OLD, STALE, FAILING, EXPIRED, FROZEN, BY_HAND, DATE_UNKNOWN, GUARD_WARNING, RELEASED, ROLLED_BACK, SCRIPT_NOT_COVERED. Say it with it.',
    ),
})
