/** The index that OpenSanctions publishes of a dataset: its files, with sizes and checksums. Pure. */
import { z } from 'zod'
import { StichtagError } from '../errors.ts'
import type { RemoteFile } from './types.ts'

const indexSchema = z.looseObject({
  name: z.string(),
  version: z.string().optional(),
  result: z.string().optional(),
  last_export: z.string().optional(),
  entity_count: z.number().int().min(0).optional(),
  resources: z
    .array(
      z.looseObject({
        name: z.string(),
        url: z.string(),
        size: z.number().int().min(0).optional(),
        checksum: z.string().optional(),
      }),
    )
    .default([]),
})

const instantOf = (text: string | undefined): string | undefined => {
  const date = text === undefined ? Number.NaN : Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`)
  return Number.isNaN(date) ? undefined : new Date(date).toISOString()
}

/**
 * A file of a dataset, by what the index at `url` says of it. Without a dataset the index may be any one's.
 *
 * @throws SOURCE_FAILED where the publisher's export failed, NOT_WHAT_IT_SAYS where it is no index or names no such file
 */
export const indexedFile = (index: unknown, file: string, url: string, dataset?: string): RemoteFile => {
  const data = { url }
  const parsed = indexSchema.safeParse(index)
  if (!parsed.success) {
    const why = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`.trim()).join('; ')
    throw new StichtagError('NOT_WHAT_IT_SAYS', `${url} is no index of OpenSanctions: ${why}`, { data })
  }
  const { name, version = 'unknown', result, last_export, entity_count, resources } = parsed.data
  if (dataset !== undefined && name !== dataset) {
    throw new StichtagError('NOT_WHAT_IT_SAYS', `${url} is the index of ${name}, not of ${dataset}`, { data })
  }
  if (result === 'failure') {
    const what = `the publisher's export of ${name} (version ${version}) failed, and has no data`
    throw new StichtagError('SOURCE_FAILED', `${url}: ${what}. The next run asks again.`, { data })
  }
  const resource = resources.find((each) => each.name === file)
  if (resource === undefined) {
    const names = resources.map((each) => each.name).join(', ') || 'nothing'
    throw new StichtagError('NOT_WHAT_IT_SAYS', `${url} names no ${file}, but: ${names}`, { data })
  }
  if (!URL.canParse(resource.url, url)) {
    const what = `gives ${JSON.stringify(resource.url.slice(0, 200))} as the address of ${file}, which is no URL`
    throw new StichtagError('NOT_WHAT_IT_SAYS', `${url} ${what}`, { data })
  }
  const publisherDate = instantOf(last_export)
  return {
    url: new URL(resource.url, url).href,
    ...(resource.size === undefined ? {} : { bytes: resource.size }),
    ...(resource.checksum === undefined ? {} : { sha1: resource.checksum }),
    ...(entity_count === undefined ? {} : { records: entity_count }),
    ...(publisherDate === undefined ? {} : { publisherDate }),
  }
}
