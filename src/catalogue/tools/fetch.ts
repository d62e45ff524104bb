/** fetch: reads any URI, for hosts that show only tools to their model. The resource twin. */
import { z } from 'zod'
import type { CatalogueContext } from '../context.ts'
import { resolveUri, type Target } from '../resolve.ts'
import { readUri } from '../resources/read.ts'
import { answering, checkedArguments, objectSchemaOf, type Tool, truncatedField } from './tool.ts'

const input = z.object({
  id: z
    .string()
    .min(1)
    .describe('Id from a search result, or any URI of a dataset, such as offeneregister://company/K1101R_HRB150148.'),
})

const output = z.object({
  id: z.string(),
  title: z.string(),
  text: z.string().describe('The content: JSON.'),
  url: z.string().describe('Page of the publisher to cite, where it is known; else the URI.'),
  metadata: z
    .looseObject({})
    .describe(
      'uri, version, asOf, licence, attribution, mimeType; asOfIs, byHand, partial and sample where the data have to be ' +
        'taken with care; `next` is the URI of a further page.',
    ),
  truncated: truncatedField,
})

/** Facts of a content's JSON that go into `metadata`. */
const bodySchema = z.object({
  dataset: z.string(),
  version: z.string().optional(),
  asOf: z.string().optional(),
  asOfIs: z.string().optional(),
  validFrom: z.string().optional(),
  validUntil: z.string().optional(),
  validity: z.string().optional(),
  licence: z.string().optional(),
  attribution: z.string().optional(),
  source: z.string().optional(),
  byHand: z.string().optional(),
  partial: z.string().optional(),
  sample: z.string().optional(),
  next: z.string().optional(),
})
const titledSchema = z.looseObject({
  title: z.string().optional(),
  record: z.record(z.string(), z.unknown()).optional(),
})

export const fetchTool = (context: CatalogueContext): Tool => ({
  name: 'fetch',
  entry: () => ({
    name: 'fetch',
    title: 'Read one record or resource',
    description:
      'Reads one thing whole by its id or URI: a record with everything that belongs to it, a record as of an older version ' +
      '(…://snapshots/{version}/{table}/{key}), its history (…://history/{table}/{key}), a dataset, its schema, its changes. ' +
      'Use it after search, or when you know the key. Not for finding records: use search or a query tool for that.',
    inputSchema: objectSchemaOf(input),
    outputSchema: objectSchemaOf(output),
  }),
  call: (args, signal) =>
    answering(async () => {
      const { id } = checkedArguments(input, args)
      const reading = await readUri(context, id, signal)
      const [first, ...further] = reading.contents
      if (first === undefined || !('text' in first)) throw new Error(`reading ${id} gave no text`)
      const parsed: unknown = JSON.parse(first.text)
      const body = bodySchema.parse(parsed)
      const title = titleOf(resolveUri(context, id), titledSchema.parse(parsed), first.uri)
      const blobs = further.filter((content) => 'blob' in content)
      const embedded = fittingBlobs(blobs)
      return {
        ok: true,
        structured: {
          id,
          title,
          text: first.text,
          url: body.source ?? first.uri,
          metadata: {
            uri: first.uri,
            mimeType: first.mimeType,
            ...body,
            ...(blobs.length === 0 ? {} : { blobs: blobs.map(({ uri, mimeType }) => ({ uri, mimeType })) }),
          },
          truncated: body.next !== undefined,
        },
        links: [
          {
            uri: first.uri,
            name: first.uri,
            title,
            mimeType: first.mimeType,
            size: Buffer.byteLength(first.text),
          },
        ],
        ...(embedded.length === 0 ? {} : { embedded }),
      }
    }),
})

/** Characters of base64 at most: a host may hand them on to its model. Reading the resource gives them all. */
const mostEmbedded = 150_000

/** The first BLOBs that fit in an answer together. */
const fittingBlobs = <Blob extends { readonly blob: string }>(blobs: readonly Blob[]): readonly Blob[] => {
  let length = 0
  return blobs.filter(({ blob }) => {
    length += blob.length
    return length <= mostEmbedded
  })
}

const titleOf = (target: Target, { title, record }: z.infer<typeof titledSchema>, uri: string): string => {
  if (target.kind === 'dataset' && title !== undefined) return title
  const column = target.kind === 'record' ? target.table.title : undefined
  const named = column === undefined ? undefined : record?.[column]
  return typeof named === 'string' && named !== '' ? named : uri
}
