/** SQLite's own words, and better ones where they say nothing to whoever sent the arguments of a query. */

const limits: Readonly<Record<string, string>> = {
  // SQLITE_MAX_LIKE_PATTERN_LENGTH, https://sqlite.org/limits.html §7
  'LIKE or GLOB pattern too complex':
    'A text to search for is too long: a pattern of LIKE or GLOB has at most 50,000 bytes. Send a shorter one.',
  'string or blob too big':
    'A value in between grows bigger than a database can hold. Select or concatenate less, or a part of it (substr).',
}

/** What a failure of SQLite is called. */
export const sqliteWords = (message: string): string => limits[message] ?? `SQLite: ${message}`
