/**
 * Invents companies in the shape of OffeneRegister's file, as many as asked for, for measuring at real size:
 *
 *     node bench/generate-companies.ts 1000000 --out /tmp/companies.jsonl.bz2
 *     node bench/generate-companies.ts 1000000 --changed 0.01 --out /tmp/companies-2.jsonl.bz2
 *
 * Streams: memory stays flat whatever the number. Deterministic by `--seed`; with `--changed SHARE` about that share of the
 * same companies differs, each in one thing. Writes to stdout without `--out`; a name that ends in `.bz2` goes through
 * the system's bzip2, as does `--bzip2`. No name in it is that of a real person or company.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { allCourts } from '../data/offeneregister/courts.ts'
import { addressOf, inventCompany, officerOf, randomOf, townOf } from '../data/offeneregister/invent.ts'
import type { CompanyRecord } from '../data/offeneregister/record.ts'

export interface GenerateOptions {
  readonly count: number
  readonly seed: number
  /** Share of the companies that differ from those without this option, 0 to 1. */
  readonly changed: number
}

/** Companies per chunk: about 80 kB of text. */
const chunkSize = 100

/** Seed of the decisions about changes, so that they do not disturb the companies themselves. */
const changeSeed = 0x5eed

const changeOf = (record: CompanyRecord, index: number, seed: number): CompanyRecord => {
  const random = randomOf(seed ^ changeSeed, index)
  const town = townOf(random)
  const court = allCourts[index % allCourts.length]
  const kind = Math.floor(random() * 4)
  if (kind === 0 && court !== undefined) return { ...record, registered_address: addressOf(random, court, town) }
  if (kind === 1) return { ...record, officers: [...(record.officers ?? []), officerOf(random, town)] }
  if (kind === 2)
    return { ...record, previous_names: [...(record.previous_names ?? []), { company_name: `${town} Altname GmbH` }] }
  const removed = record.current_status === 'removed'
  return { ...record, current_status: removed ? 'currently registered' : 'removed' }
}

/** The company at an index, changed or not. */
export const companyAt = (index: number, { seed, changed }: Omit<GenerateOptions, 'count'>): CompanyRecord => {
  const record = inventCompany(index, { seed })
  const differs = changed > 0 && randomOf(seed ^ changeSeed, -index - 2)() < changed
  return differs ? changeOf(record, index, seed) : record
}

/** The file's text in chunks of whole lines. */
export function* companyLines(options: GenerateOptions): Generator<string> {
  for (let start = 0; start < options.count; start += chunkSize) {
    const size = Math.min(chunkSize, options.count - start)
    yield Array.from({ length: size }, (_, offset) => `${JSON.stringify(companyAt(start + offset, options))}\n`).join(
      '',
    )
  }
}

const writeThroughBzip2 = async (text: Readable, target: Writable): Promise<void> => {
  const bzip2 = spawn('bzip2', ['-c'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [closed] = await Promise.all([
    once(bzip2, 'close'),
    pipeline(text, bzip2.stdin),
    pipeline(bzip2.stdout, target),
  ])
  const [status]: unknown[] = closed
  if (status !== 0) throw new Error(`bzip2 ended with ${String(status)}`)
}

const main = async (): Promise<void> => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      seed: { type: 'string', default: '1' },
      changed: { type: 'string', default: '0' },
      out: { type: 'string' },
      bzip2: { type: 'boolean', default: false },
    },
  })
  const options = { count: Number(positionals[0]), seed: Number(values.seed), changed: Number(values.changed) }
  const valid =
    Number.isInteger(options.count) &&
    options.count >= 0 &&
    Number.isInteger(options.seed) &&
    options.changed >= 0 &&
    options.changed <= 1
  if (!valid) {
    process.stderr.write('usage: generate-companies.ts COUNT [--seed N] [--changed SHARE] [--out FILE] [--bzip2]\n')
    process.exitCode = 2
    return
  }
  const text = Readable.from(companyLines(options))
  const target = values.out === undefined ? process.stdout : createWriteStream(values.out)
  if (values.bzip2 || values.out?.endsWith('.bz2') === true) await writeThroughBzip2(text, target)
  else await pipeline(text, target)
}

if (import.meta.main) await main()
