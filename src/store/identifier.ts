/** A name as SQLite takes it, whatever letters it has. */
export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`
