/** What `resources/list` lists of a dataset: itself, its schema, its versions, and queries that need no values. */
import type { CatalogueContext } from './context.ts'
import { isAddressable, requiredOf } from './resolve.ts'
import { readSchema } from './resources/schema.ts'
import type { ServedDataset } from './served.ts'
import type { ResourceEntry } from './types.ts'
import { datasetUri, queryUri, schemaUri, snapshotsUri } from './uri.ts'

const mimeType = 'application/json'

/** The entries do not depend on a version, so that the list changes only when what is on offer does. */
export const resourceEntries = (dataset: ServedDataset, context: CatalogueContext): readonly ResourceEntry[] => {
  const { id, title } = dataset
  const modified = lastModifiedOf(dataset)
  const queries = dataset.queries.filter(
    (query) => query.ofAuthor && isAddressable(query) && requiredOf(query.query).length === 0,
  )
  return [
    {
      uri: datasetUri(id),
      name: `${id}_dataset`,
      title,
      description: `What ${id} holds, its licence, version, freshness, tables and counts.`,
      mimeType,
      ...modified,
    },
    {
      uri: schemaUri(id),
      name: `${id}_schema`,
      title: `${title}: tables`,
      description: `Tables, columns, keys and full-text indexes of ${id}.`,
      mimeType,
      ...modified,
      ...schemaSize(dataset, context),
    },
    {
      uri: snapshotsUri(id),
      name: `${id}_snapshots`,
      title: `${title}: versions`,
      description: `The kept versions of ${id}, newest first.`,
      mimeType,
      ...modified,
    },
    ...queries.map((query) => ({
      uri: queryUri(id, query.name, []),
      name: `${id}_query_${query.name}`,
      title: `${title}: ${query.name}`,
      description: query.query.description,
      mimeType,
      ...modified,
    })),
  ]
}

/** The one content that does not change within a version, nor needs a database to be opened. */
const schemaSize = (dataset: ServedDataset, context: CatalogueContext): Pick<ResourceEntry, 'size'> => {
  if (dataset.databases.length === 0) return {}
  const [content] = readSchema(context, dataset).contents
  return content === undefined || !('text' in content) ? {} : { size: Buffer.byteLength(content.text) }
}

/** When the pointer last moved to what is current, or the file last changed. */
const lastModifiedOf = ({ snapshot, databases }: ServedDataset): Pick<ResourceEntry, 'lastModified'> => {
  const instant =
    snapshot === undefined ? databases[0]?.asOf : (snapshot.state.history.at(-1)?.at ?? snapshot.manifest.buildDate)
  return instant === undefined ? {} : { lastModified: instant }
}
