/** What a model is told about working here. Hosts put it into the system prompt: short, and only what a model must know. */
export const instructions = `Stichtag serves open data registers, timetables and sanctions lists as dated, immutable snapshots. Everything is read-only.

How to work here:
1. \`list_datasets\` says what there is, how current it is, and under which licence.
2. \`search\` finds records and returns their URIs. Search first; do not guess URIs or keys.
3. \`fetch\` reads one record whole by its URI, with all that belongs to it. Reading the resource at that URI gives the same.
4. The query tools of a dataset answer what neither of these can: counts, filters, joins.
5. Where there is \`screen_name\`, it looks a name up in every sanctions list: a hit is a lead and no verdict, and what its \`problems\` say of the lists belongs into your answer.

When you state something from here, cite the dataset, its version and its licence; each answer carries them, and the attribution to print. A version is the state of the data at that time: say so where it matters. An answer marked \`sample\` holds invented data, \`byHand\` data that nobody fetched from the publisher, \`partial\` only a part of the dataset; \`asOfIs\` says that its date is not the publisher's: say that too.

\`truncated: true\` means that there is more: narrow the question instead of counting what came. A large record is paged: follow \`next\`.

Records change with new deliveries. A host may subscribe to any record's URI and is told when exactly that record reads differently. \`changes\` says what changed since a version, also after a lost connection. Older states stay readable under \`snapshots/{version}\`.`
