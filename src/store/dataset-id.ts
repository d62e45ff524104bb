/** A dataset's id: its FlowMCP namespace and its URI scheme too (DESIGN §1). */
const pattern = /^[a-z][a-z0-9-]*$/

/** Whether a text is a well-formed id. Other folders may lie among those of datasets (a system's own, a person's copy). */
export const isDatasetId = (text: string): boolean => pattern.test(text)
