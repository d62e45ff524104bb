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

const capitalSharpS = 0x1e9e
/** Up to here, letters are composed whatever stands beside them, and all those are that have other spellings. */
const lettersToCompare = 0x300

type Replacements = readonly (string | undefined)[]

const byCode = (replacementOf: (letter: string) => string | undefined): Replacements =>
  Array.from({ length: lettersToCompare }, (_, code) => replacementOf(String.fromCharCode(code).toLowerCase()))

const asDigraph = byCode((letter) => digraphs[letter] ?? plainLetters[letter])
const asPlainLetter = byCode((letter) => plainLetters[letter])

/**
 * The text to index: the text itself, then each further spelling that differs. Composes first, since `ü` may come as
 * `u` and a combining mark; capitals and remaining diacritics are left to the tokenizer.
 */
export const germanSpellings = (text: string): string => {
  const composed = /[^\0-\u02ff]/.test(text) ? text.normalize('NFC') : text
  // One pass, and nothing for letters that stay: this is done for each text of millions.
  let withDigraphs = ''
  let withPlainLetters = ''
  let done = 0
  for (let at = 0; at < composed.length; at++) {
    const code = composed.charCodeAt(at)
    if (code < 0x80) continue
    const digraph = code === capitalSharpS ? 'ss' : asDigraph[code]
    if (digraph === undefined) continue
    const before = composed.slice(done, at)
    withDigraphs += before + digraph
    withPlainLetters += before + (code === capitalSharpS ? 'ss' : (asPlainLetter[code] ?? composed[at]))
    done = at + 1
  }
  if (done === 0) return composed
  const after = composed.slice(done)
  withDigraphs += after
  withPlainLetters += after
  return withPlainLetters === withDigraphs || withPlainLetters === composed
    ? `${composed} ${withDigraphs}`
    : `${composed} ${withDigraphs} ${withPlainLetters}`
}
