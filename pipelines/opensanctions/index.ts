/**
 * OpenSanctions' collection of sanctions lists: some forty of them with their entities merged. Read on an export of the
 * same shape and on a real `targets.simple.csv`; the model's properties are those of its public schemata. Not confirmed:
 * how far the collection shrinks when one of its lists fails.
 */
import type { PipelineFile } from '../../src/pipeline/types.ts'

const pipeline: PipelineFile = (kit) =>
  kit.openSanctions({
    id: 'opensanctions',
    dataset: 'sanctions',
    title: 'OpenSanctions: consolidated sanctions',
    description:
      'People, firms, vessels and others on the sanctions lists of the world, merged by OpenSanctions: names, addresses, ' +
      'births, numbers, designations, owners and relatives. Not for business use without a licence of OpenSanctions, ' +
      'and no verdict: a name on it is shared by people who are not.',
    aliases: ['opensanctions-sanctions.db'],
    // Exported several times a day, whenever one of its lists changed.
    schedule: { cron: '40 1,7,13,19 * * *', timeZone: 'UTC' },
    guards: {
      // 291,000 entities in 2026; fewer than 200,000 is an export of a part. Of the other two, low estimates.
      minRows: { ftm_entity: 200_000, name: 100_000, sanction: 30_000 },
      // The largest of the lists hold a tenth of the entities each; one may fail or end, not several at once.
      maxShrink: 0.2,
    },
  })

export default pipeline
