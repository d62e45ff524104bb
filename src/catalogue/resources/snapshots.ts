/** The kept versions of a dataset, newest first. */
import { StichtagError } from '../../errors.ts'
import { asOfFacts, sampleNote, termsOf } from '../answer-origin.ts'
import { absenceOf, type CatalogueContext, ttlOf } from '../context.ts'
import { databaseOfManifest } from '../discovery/snapshots.ts'
import { jsonReading } from '../reading.ts'
import type { ServedDataset, ServedSnapshot } from '../served.ts'
import type { Reading } from '../types.ts'
import { changesUri, snapshotsUri } from '../uri.ts'

/** What `…://snapshots` shows. Throws DATABASE_MISSING while there is none. */
export const readSnapshots = (context: CatalogueContext, dataset: ServedDataset): Reading => {
  const [first] = dataset.databases
  if (first === undefined) throw absenceOf(dataset)
  const uri = snapshotsUri(dataset.id)
  const { snapshot } = dataset
  const listed =
    snapshot === undefined
      ? { current: first.version, snapshots: [{ version: first.version, ...asOfFacts(first) }] }
      : {
          current: snapshot.manifest.version,
          snapshots: snapshot.versions.toReversed().map((version) => keptFacts(context, dataset.id, snapshot, version)),
          moves: snapshot.state.history.toReversed(),
        }
  return jsonReading({
    uri,
    body: { uri, dataset: dataset.id, ...listed, ...termsOf(first) },
    compared: { of: listed },
    ttlMs: ttlOf(dataset, context),
  })
}

const keptFacts = (
  context: CatalogueContext,
  dataset: string,
  snapshot: ServedSnapshot,
  version: ServedSnapshot['versions'][number],
) => {
  try {
    const manifest = context.manifest(snapshot, version)
    const kept = databaseOfManifest(snapshot.store, manifest)
    const { byHand, partial } = termsOf(kept)
    return {
      version,
      ...asOfFacts(kept),
      retrievedAt: manifest.retrievedAt,
      base: manifest.base,
      ...(byHand === undefined ? {} : { byHand }),
      ...(partial === undefined ? {} : { partial }),
      ...(manifest.sample ? { sample: sampleNote } : {}),
      ...(snapshot.state.held.some((each) => each.version === version) ? { held: true } : {}),
      bytes: manifest.file.bytes,
      rows: Object.fromEntries(manifest.tables.map(({ name, rows }) => [name, rows])),
      changes: changesUri(dataset, version),
    }
  } catch (error) {
    if (error instanceof StichtagError) return { version, problem: { code: error.code, message: error.message } }
    throw error
  }
}
