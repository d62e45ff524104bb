/** The bundled sample as a reader of the file sees it. */
import { join } from 'node:path'
import { z } from 'zod'
import { openFile } from '../../src/formats/open.ts'
import { packageRoot } from '../../src/package-root.ts'

const recordSchema = z.looseObject({ company_number: z.string(), name: z.string() })

/** A record of the sample: its fields are looked at one by one. */
export type SampleRecord = z.infer<typeof recordSchema>

/** Folder of the sample's dated versions. */
export const sampleFolder = join(packageRoot, 'data', 'offeneregister')

/** The text of a version's file. */
export const sampleText = async (date: string): Promise<string> => {
  const name = 'de_companies_ocdata.jsonl.bz2'
  const parts: Buffer[] = []
  for await (const part of openFile(join(sampleFolder, date, name), { name })) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

/** The records of a version's file, in its order. */
export const sampleRecords = async (date: string): Promise<readonly SampleRecord[]> =>
  (await sampleText(date))
    .trimEnd()
    .split('\n')
    .map((line) => recordSchema.parse(JSON.parse(line)))
