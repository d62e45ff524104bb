/** All rows, in the order in which they are run and printed. */
import type { BenchRow } from '../harness/row.ts'
import { compare } from './compare.ts'
import { csv } from './csv.ts'
import { growth } from './growth.ts'
import { gtfs } from './gtfs.ts'
import { jsonl } from './jsonl.ts'
import { memory } from './memory.ts'
import { notify } from './notify.ts'
import { otherServers } from './peers.ts'
import { serve } from './serve.ts'
import { start } from './start.ts'
import { unchanged } from './unchanged.ts'

export const rows: readonly BenchRow[] = [
  ...[gtfs, csv, jsonl, memory, compare, unchanged],
  ...[serve, otherServers, notify, start, growth],
]
