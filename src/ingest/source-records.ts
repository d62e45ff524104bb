/** What became of the records of a delivered file, as its snapshot's manifest says it. */
import type { SourceInfo } from '../store/manifest.ts'
import type { InputReport } from './load.ts'

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

const countsOf = (reports: readonly InputReport[]): SourceInfo['records'] => ({
  read: sum(reports.map(({ accounting }) => accounting.read)),
  mapped: sum(reports.map(({ accounting }) => accounting.mapped)),
  rejected: sum(reports.map(({ accounting }) => accounting.rejected)),
})

const unknownFieldsOf = (reports: readonly InputReport[]): Record<string, number> => {
  const fields: Record<string, number> = {}
  for (const { member, accounting } of reports) {
    for (const [field, count] of accounting.unknownFields) {
      const name = member === undefined ? field : `${member}: ${field}`
      fields[name] = (fields[name] ?? 0) + count
    }
  }
  return fields
}

/** Records and unknown fields of the file of this name, and of each of its members where it is several inputs. */
export const recordsOfSource = (
  name: string,
  reports: readonly InputReport[],
): Pick<SourceInfo, 'records' | 'unknownFields' | 'members'> => {
  const own = reports.filter((each) => each.name === name)
  const members = own.flatMap((each) =>
    each.member === undefined ? [] : [{ name: each.member, records: countsOf([each]) }],
  )
  return {
    records: countsOf(own),
    unknownFields: unknownFieldsOf(own),
    ...(members.length === 0 ? {} : { members }),
  }
}

/** What could not be read of inputs that the dataset can do without, by their names: no guard counts it. */
export const rejectedAside = (
  reports: readonly InputReport[],
  further: ReadonlySet<string>,
): { readonly rejected: number; readonly warnings: readonly string[] } => {
  const aside = reports
    .map(({ name, member, accounting: { rejected } }) => ({ input: `${name}#${member}`, rejected }))
    .filter(({ input, rejected }) => rejected > 0 && further.has(input))
  return {
    rejected: sum(aside.map(({ rejected }) => rejected)),
    warnings: aside.map(({ input, rejected }) => `${input}: ${rejected} records cannot be read, and are in _rejected`),
  }
}
