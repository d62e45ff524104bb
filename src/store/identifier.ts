/** A name as SQLite takes it, whatever letters it has. */
export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A text as SQLite takes it. */
export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`
