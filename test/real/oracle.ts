/** What ORACLE.json, beside the real files, says of each of them for programs. */
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { sharedFile } from './shared-data.ts'

const oracleSchema = z.record(z.string(), z.looseObject({ facts: z.unknown() }))
let oracle: z.infer<typeof oracleSchema> | undefined

/** The facts of a file, by its path in the folder of real files. */
export const oracleOf = <Facts>(path: string, schema: z.ZodType<Facts>): Facts => {
  oracle ??= oracleSchema.parse(JSON.parse(readFileSync(sharedFile('ORACLE.json'), 'utf8')))
  return schema.parse(oracle[path]?.facts)
}
