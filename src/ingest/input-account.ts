/** What became of the records of one input, in figures that can be added up and sent from thread to thread. Pure. */

import { PublisherDate } from './publisher-date.ts'

/** First reasons for rejection that are kept. */
export const maxExamples = 3

export interface InputAccount {
  readonly read: number
  readonly mapped: number
  readonly rejected: number
  /** Of the rejected ones, those whose main row had a broken key and a table that says what becomes of it. */
  readonly rejectedByKey: number
  readonly unknownFields: ReadonlyMap<string, number>
  /** What the mapping remarked, with how often, and the line where first. */
  readonly remarks: ReadonlyMap<string, Remark>
  /** First reasons for rejection, for messages. */
  readonly examples: readonly string[]
  /** Records that the input says it holds, if it does. */
  readonly expected: number | undefined
  /** The latest date that was said, and what was said and is no date. */
  readonly dates: { readonly latest: string | null; readonly faults: number; readonly firstFault: string }
  /** What the reader warned of. */
  readonly warnings: readonly string[]
}

export interface Remark {
  readonly count: number
  readonly line: number
}

/** What the account of an input gives reason to warn of, its date apart. */
export const warningsOf = ({ read, expected, remarks, warnings }: InputAccount): string[] => [
  ...warnings,
  ...(expected === undefined || expected === read
    ? []
    : [`says that it holds ${expected} records, but ${read} were read`]),
  ...[...remarks].map(([what, { count, line }]) => `${what} (${count} times, first in line ${line})`),
]

/** The accounts of the parts of one input, as its own. */
export const joinedAccounts = (accounts: readonly InputAccount[]): InputAccount => {
  const total = (count: 'read' | 'mapped' | 'rejected' | 'rejectedByKey'): number =>
    accounts.reduce((sum, account) => sum + account[count], 0)
  const unknownFields = new Map<string, number>()
  const remarks = new Map<string, Remark>()
  for (const account of accounts) {
    for (const [field, count] of account.unknownFields)
      unknownFields.set(field, (unknownFields.get(field) ?? 0) + count)
    for (const [what, remark] of account.remarks) {
      const known = remarks.get(what) ?? { count: 0, line: remark.line }
      remarks.set(what, { count: known.count + remark.count, line: Math.min(known.line, remark.line) })
    }
  }
  const dates = new PublisherDate()
  for (const account of accounts) dates.add(account.dates)
  return {
    read: total('read'),
    mapped: total('mapped'),
    rejected: total('rejected'),
    rejectedByKey: total('rejectedByKey'),
    unknownFields,
    remarks,
    examples: accounts.flatMap(({ examples }) => examples).slice(0, maxExamples),
    expected: accounts.find(({ expected }) => expected !== undefined)?.expected,
    dates: { latest: dates.latest, faults: dates.faults, firstFault: dates.firstFault },
    warnings: accounts.flatMap(({ warnings }) => warnings),
  }
}
