/** Texts and dates as the list writes them, in a form that can be compared. Pure. */

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** HTML references as the letters they stand for; others stay as they are. */
export const unescaped = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi, (reference, decimal, hexadecimal, name) => {
    if (name !== undefined) return named[String(name).toLowerCase()] ?? reference
    const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : reference
  })

/**
 * `31/07/2024` as `2024-07-31`, and as much of a date as is known: `dd/mm/1945` and `00/00/1945` as `1945`,
 * `dd/03/1945` as `1945-03`. What is no such date stays as it is.
 */
export const isoDate = (text: string | null): string | null => {
  const [, day, month, year] = /^(\d\d|dd)\/(\d\d|mm)\/(\d{4})$/i.exec(text ?? '') ?? []
  if (year === undefined) return text
  const known = [year]
  if (/^\d\d$/.test(month ?? '') && month !== '00') {
    known.push(month ?? '')
    if (/^\d\d$/.test(day ?? '') && day !== '00') known.push(day ?? '')
  }
  return known.join('-')
}

/** The date in `Report Date: 08-Oct-2026`, the line before the header; undefined where the line says none. */
export const reportDate = (line: string): string | undefined => {
  const [, day = '', name = '', year] = /^\W*Report Date:\s*(\d{1,2})-([A-Za-z]{3})[a-z]*-(\d{4})/.exec(line) ?? []
  const month = months.indexOf(name.toLowerCase()) + 1
  return year === undefined || month === 0
    ? undefined
    : `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** The parts of a cell that holds several, each once. */
export const partsOf = (text: string | null): readonly string[] => [
  ...new Set(
    (text ?? '')
      .split('|')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ),
]
