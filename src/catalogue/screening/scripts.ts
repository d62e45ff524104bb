/** In which scripts a name is written, and how names in that script are told in a database. Pure. */

export interface Script {
  readonly name: string
  /** GLOB pattern that a text with a letter of it fits. */
  readonly glob: string
}

/** Scripts that people's names come in, beside Latin, by the Unicode blocks of their letters. */
const scripts: readonly (readonly [name: string, letter: RegExp, range: string])[] = [
  ['Greek', /\p{Script=Greek}/u, '\u0370-\u03ff'],
  ['Cyrillic', /\p{Script=Cyrillic}/u, '\u0400-\u052f'],
  ['Armenian', /\p{Script=Armenian}/u, '\u0530-\u058f'],
  ['Hebrew', /\p{Script=Hebrew}/u, '\u0590-\u05ff'],
  ['Arabic', /\p{Script=Arabic}/u, '\u0600-\u06ff'],
  ['Devanagari', /\p{Script=Devanagari}/u, '\u0900-\u097f'],
  ['Bengali', /\p{Script=Bengali}/u, '\u0980-\u09ff'],
  ['Tamil', /\p{Script=Tamil}/u, '\u0b80-\u0bff'],
  ['Thai', /\p{Script=Thai}/u, '\u0e00-\u0e7f'],
  ['Burmese', /\p{Script=Myanmar}/u, '\u1000-\u109f'],
  ['Georgian', /\p{Script=Georgian}/u, '\u10a0-\u10ff'],
  ['Ethiopic', /\p{Script=Ethiopic}/u, '\u1200-\u137f'],
  ['Japanese kana', /[\p{Script=Hiragana}\p{Script=Katakana}]/u, '\u3040-\u30ff'],
  ['Chinese', /\p{Script=Han}/u, '\u4e00-\u9fff'],
  ['Hangul', /\p{Script=Hangul}/u, '\uac00-\ud7a3'],
]

/** The scripts of a name's letters, Latin left out: every list has that. */
export const otherScripts = (name: string): readonly Script[] =>
  scripts.flatMap(([script, letter, range]) => (letter.test(name) ? [{ name: script, glob: `*[${range}]*` }] : []))
