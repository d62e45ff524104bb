/** Kinds of lists that names are looked up in: who is on one is told by its kind what that means. */

/**
 * `sanctions`: people, firms and things under sanctions. `pep`: people in public office, their relatives and associates,
 * who are under no suspicion by that. `crime`: wanted or convicted people, and what was used in crimes. `debarment`: firms
 * shut out of public contracts. `mixed`: several of these, sanctions among them. `other`: none of these.
 */
export const listKinds = ['sanctions', 'pep', 'crime', 'debarment', 'mixed', 'other'] as const
export type ListKind = (typeof listKinds)[number]
