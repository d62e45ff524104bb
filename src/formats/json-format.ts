/** How a JSON source is written, as its pipeline declares it. */

export interface JsonFormat {
  readonly type: 'json'
  /** Where the array of records is: `$[*]` (the document itself, unless said), `$.records[*]`, `$.data['a b'][*]`. */
  readonly records?: string
  /** Bytes of one record, 64 MiB unless said. */
  readonly maxRecordBytes?: number
}

const step = String.raw`\.([A-Za-z_$][\w$-]*)|\['([^'\\]+)'\]`

/** Whether a text is a path to an array of records. */
export const isRecordsPath = (path: string): boolean => new RegExp(`^\\$(?:${step})*\\[\\*\\]$`).test(path)

/** The keys that lead from the document to the array of records. */
export const keysOf = (path: string): readonly string[] =>
  [...path.matchAll(new RegExp(step, 'g'))].map(([, plain, quoted]) => plain ?? quoted ?? '')
