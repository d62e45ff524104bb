/** That a name is asked for in a script in which a list does not have its names. Pure. */
import type { ListProblem } from './chosen-lists.ts'
import type { Script } from './scripts.ts'

/** A list has its names in a script where this share of its entries has one. */
const leastCovered = 0.9

/** The problem, by how many of a list's entries have a name in the script; undefined where nearly all have. */
export const scriptProblem = (
  dataset: string,
  { name }: Script,
  { entries, inScript }: { readonly entries: number; readonly inScript: number },
): ListProblem | undefined => {
  if (entries === 0 || inScript >= entries * leastCovered) return undefined
  const has = inScript === 0 ? `None of its ${entries} entries has` : `Only ${inScript} of its ${entries} entries have`
  return {
    dataset,
    code: 'SCRIPT_NOT_COVERED',
    message:
      `${has} a name in ${name} letters, and no others can be found by such a name. Transliterate it and ask again in ` +
      'Latin letters, in each usual spelling, with a lower threshold.',
  }
}
