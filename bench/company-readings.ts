/** What each company reads like in the current snapshot, read by SQL of our own: what notifications are held against. */
import Database from 'better-sqlite3'

/** Text of a company and of what belongs to it, by its number. */
export type Readings = ReadonlyMap<string, string>

/** Tables of which rows belong to a company, and the column that says to which. */
const tables = {
  company: 'company_number',
  officer: 'company_id',
  previous_name: 'company_id',
  registrations: 'company_id',
}

export const readCompanies = (pointer: string): Readings => {
  const database = new Database(pointer, { readonly: true, fileMustExist: true })
  try {
    const readings = new Map<string, string>()
    for (const [table, column] of Object.entries(tables)) {
      const order = table === 'company' ? column : `${column}, ordinal`
      const rows = database.prepare<[], Record<string, unknown>>(`SELECT * FROM ${table} ORDER BY ${order}`)
      for (const { id: _, ...row } of rows.iterate()) {
        const number = String(row[column])
        readings.set(number, `${readings.get(number) ?? ''}${table} ${JSON.stringify(row)}\n`)
      }
    }
    return readings
  } finally {
    database.close()
  }
}
