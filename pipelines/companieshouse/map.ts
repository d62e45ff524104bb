/** A line of the file, a company, becomes its row and those of its industries and previous names. */
import type { FieldReader, MapContext, Row } from '../../src/pipeline/types.ts'
import { dateColumns, numberColumns, previousNameColumns, sicColumns, textColumns } from './columns.ts'

/** `29/07/2020` as `2020-07-29`; what is no such date stays as it is. */
export const isoDate = (text: string | null): string | null => {
  const [, day, month, year] = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(text ?? '') ?? []
  return year === undefined ? text : `${year}-${month}-${day}`
}

const columnsFrom = (
  columns: Readonly<Record<string, string>>,
  read: (source: string) => string | null,
): Readonly<Record<string, string | null>> =>
  Object.fromEntries(Object.entries(columns).map(([column, source]) => [column, read(source)]))

/** `78300 - Human resources provision` as code and text; `None Supplied` has no code. */
const sicOf = (text: string): Row => {
  const [, code, description] = /^(\d{4,5}) - (.*)$/.exec(text) ?? []
  return code === undefined ? { code: null, description: text } : { code, description: description ?? null }
}

export const mapCompany = (company: FieldReader, context: MapContext): void => {
  const number = company.requiredText('CompanyNumber')
  const industries = sicColumns.map((column) => company.text(column)).filter((text) => text !== null)
  const previousNames = previousNameColumns
    .map(({ date, name }) => ({ changed_on: isoDate(company.text(date)), name: company.text(name) }))
    .filter(({ changed_on, name }) => changed_on !== null || name !== null)
  const row = {
    company_number: number,
    name: company.requiredText('CompanyName'),
    ...columnsFrom(textColumns, (source) => company.text(source)),
    ...columnsFrom(dateColumns, (source) => isoDate(company.text(source))),
    ...columnsFrom(numberColumns, (source) => company.text(source)),
  }
  const left = company.rest()
  context.emit('company', { ...row, attributes: left === null ? null : JSON.stringify(left) })
  for (const [index, text] of industries.entries()) {
    context.emit('sic', { company_number: number, ordinal: index + 1, ...sicOf(text) })
  }
  for (const [index, previous] of previousNames.entries()) {
    context.emit('previous_name', { company_number: number, ordinal: index + 1, ...previous })
  }
}
