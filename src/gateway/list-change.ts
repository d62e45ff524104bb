/** Which lists changed, for hosts that asked to hear of it. */

export const changingLists = ['tools', 'resources', 'prompts'] as const

export type ChangingList = (typeof changingLists)[number]

export type ListChange = Readonly<Record<ChangingList, boolean>>

export const unchanged: ListChange = { tools: false, resources: false, prompts: false }

export const changedLists = (change: ListChange): readonly ChangingList[] =>
  changingLists.filter((list) => change[list])

/** What changed in either. */
export const bothChanges = (one: ListChange, other: ListChange): ListChange => ({
  tools: one.tools || other.tools,
  resources: one.resources || other.resources,
  prompts: one.prompts || other.prompts,
})
