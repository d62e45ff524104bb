/** The tables of a dataset as a person who writes SQL, or a model, needs to know them. */
import { originOf, termsOf } from '../answer-origin.ts'
import { absenceOf, type CatalogueContext, ttlOf } from '../context.ts'
import { jsonReading } from '../reading.ts'
import type { ServedDatabase, ServedDataset } from '../served.ts'
import { templateOf } from '../templates.ts'
import type { Reading } from '../types.ts'
import { schemaUri } from '../uri.ts'

/** What `…://schema` shows. Throws DATABASE_MISSING while there is none. */
export const readSchema = (context: CatalogueContext, dataset: ServedDataset): Reading => {
  const [first] = dataset.databases
  if (first === undefined) throw absenceOf(dataset)
  const uri = schemaUri(dataset.id)
  const structure = {
    tables: dataset.databases.flatMap((database) => tablesOf(dataset.id, database)),
    views: dataset.databases.flatMap(({ views }) => views),
    fullText: dataset.databases.flatMap(({ fullText }) => fullText),
  }
  return jsonReading({
    uri,
    body: { uri, ...originOf(dataset.id, first), ...structure, ...termsOf(first) },
    compared: { of: structure },
    ttlMs: ttlOf(dataset, context),
  })
}

const tablesOf = (dataset: string, database: ServedDatabase) =>
  database.tables.map((table) => {
    const template = templateOf(dataset, 'record', table)
    return {
      name: table.name,
      description: table.description,
      columns: table.columns,
      key: table.key,
      ...(table.title === undefined ? {} : { title: table.title }),
      indexes: table.indexes,
      related: table.related,
      ...(template === undefined ? {} : { uri: template.uriTemplate }),
    }
  })
