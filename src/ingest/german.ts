/**
 * German spellings for a full-text index. FTS5's `unicode61 remove_diacritics 2` already takes ü for u; what it cannot
 * do is ü for ue, ß for ss, and letters that Unicode does not decompose (ł, ø, đ). So a text that has such letters is
 * indexed several times over, each time in one spelling throughout: phrases match in each of them.
 */

const digraphs: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  ø: 'oe',
  å: 'aa',
  æ: 'ae',
  œ: 'oe',
}

const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
  æ: 'ae',
  œ: 'oe',
}

const replaceLetters = (text: string, letters: Readonly<Record<string, string>>): string =>
  text.replace(/\P{ASCII}/gu, (letter) => letters[letter.toLowerCase()] ?? letter)

/**
 * The text to index: the text itself, then each further spelling that differs. Composes first, since `ü` may come as
 * `u` and a combining mark; capitals and remaining diacritics are left to the tokenizer.
 */
export const germanSpellings = (text: string): string => {
  if (/^\p{ASCII}*$/u.test(text)) return text
  const composed = text.normalize('NFC')
  const withDigraphs = replaceLetters(replaceLetters(composed, digraphs), plainLetters)
  return [...new Set([composed, withDigraphs, replaceLetters(composed, plainLetters)])].join(' ')
}
