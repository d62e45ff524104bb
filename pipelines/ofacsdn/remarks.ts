/**
 * Remarks: what has no column at the publisher stands in one text, `DOB 10 Dec 1948; a.k.a. 'BNC'; Passport A-992535
 * (Saudi Arabia).` Aliases in it are the weak ones. Pure.
 */

export interface WeakAlias {
  readonly type: 'aka' | 'fka' | 'nka'
  readonly name: string
}

/** `date` and `date_to` are as much of a date as is known: YYYY-MM-DD, YYYY-MM or YYYY. */
export interface Birth {
  readonly date: string | null
  readonly date_to: string | null
  readonly circa: boolean
  readonly place: string | null
  readonly text: string
}

export interface Identifier {
  readonly type: string
  readonly number: string
  readonly country: string | null
  readonly note: string | null
}

export interface Remarks {
  readonly weakAliases: readonly WeakAlias[]
  readonly births: readonly Birth[]
  readonly identifiers: readonly Identifier[]
  readonly nationalities: readonly string[]
  readonly gender: string | null
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `10 Dec 1948`, `Dec 1948` or `1948`; null for anything else. */
export const isoDate = (text: string): string | null => {
  const [, day, name, year] = /^(?:(?:(\d{1,2}) )?([A-Z][a-z]{2}) )?(\d{4})$/.exec(text.trim()) ?? []
  if (year === undefined) return null
  if (name === undefined) return year
  const month = months.indexOf(name) + 1
  if (month === 0) return null
  const parts = [year, String(month), ...(day === undefined ? [] : [day])]
  return parts.map((part) => part.padStart(2, '0')).join('-')
}

const birthOf = (text: string): Birth => {
  const [from = '', to] = text.replace(/^circa /, '').split(' to ')
  return {
    date: isoDate(from),
    date_to: to === undefined ? null : isoDate(to),
    circa: /\bcirca\b/.test(text) || to !== undefined,
    place: null,
    text,
  }
}

/** Kinds of numbers that do not end in a word that says so. */
const properTypes = [
  'SSN',
  'SWIFT/BIC',
  'MMSI',
  'ISIN',
  'C.U.R.P.',
  'R.F.C.',
  'RFC',
  'D.N.I.',
  'I.F.E.',
  'C.U.I.T.',
  'BIK (RU)',
  'US FEIN',
  'Credencial electoral',
  'Cartilla de Servicio Militar Nacional',
  'Equity Ticker',
  'Vessel Registration Identification',
]
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
/** Words that end a kind of number: `National ID No.`, `Company Number`, `NIT #`. */
const typeEnd = String.raw`(?:\b(?:ID Card|ID|Card|Code|Certificate|License|Passport)(?: (?:No\.?|Number))?|\b(?:No\.?|Number)|#)`
const generalType = String.raw`(?=[A-Z])[^:]{0,60}?${typeEnd}(?: \([^)]*\))?`
const identifierPattern = new RegExp(
  String.raw`^(?:alt\. )?(Digital Currency Address - \w+|${properTypes.map(escaped).join('|')}|${generalType}) (\S.*)$`,
)

/** Numbers by which one reaches somebody, and does not tell them apart. */
const isContact = (type: string): boolean => /^(?:Phone|Telephone|Fax)\b/.test(type)

const identifierOf = (segment: string): Identifier | undefined => {
  const [, type = '', rest = ''] = identifierPattern.exec(segment) ?? []
  if (type === '' || isContact(type)) return undefined
  const dates = /(?: (?:issued|expires) [\w ]+)+$/.exec(rest)
  const named = rest.slice(0, dates?.index ?? rest.length)
  const [, number = named, country] = /^(.*\S) \(([^()]+)\)$/.exec(named) ?? []
  if (!/\d/.test(number) && !/^(?:SWIFT|Digital|Equity)/.test(type)) return undefined
  return { type, number, country: country ?? null, note: dates?.[0].trim() ?? null }
}

const aliasPattern = /^(?:alt\. )?([afn])\.k\.a\. (.+)$/
const quotedPattern = /^'(.+)'(?: \(.*\))?$/

const weakAliasOf = (segment: string): WeakAlias | undefined => {
  const [, letter, text] = aliasPattern.exec(segment) ?? []
  if (letter === undefined || text === undefined) return undefined
  return { type: letter === 'f' ? 'fka' : letter === 'n' ? 'nka' : 'aka', name: quotedPattern.exec(text)?.[1] ?? text }
}

/** What the remarks say, as far as it has a form. All of it stays in the remarks as well. */
export const readRemarks = (remarks: string | null): Remarks => {
  const segments = (remarks ?? '')
    .trim()
    .replace(/\.$/, '')
    .split(/;\s+/)
    .filter((segment) => segment !== '')
  const after = (pattern: RegExp): string[] => segments.flatMap((segment) => pattern.exec(segment)?.[1] ?? [])
  return {
    weakAliases: segments.map(weakAliasOf).filter((alias) => alias !== undefined),
    births: [
      ...after(/^(?:alt\. )?DOB (.+)$/).map(birthOf),
      ...after(/^(?:alt\. )?POB (.+)$/).map((text) => ({ date: null, date_to: null, circa: false, place: text, text })),
    ],
    identifiers: segments.map(identifierOf).filter((identifier) => identifier !== undefined),
    nationalities: [...new Set(after(/^(?:alt\. )?(?:nationality|citizen) (.+)$/))],
    gender: after(/^Gender (.+)$/)[0] ?? null,
  }
}
