/**
 * The common jobs that a host offers a person as prompts. A job is offered where some dataset has what it needs: a table
 * whose records are addressed, or versions to compare. So a new dataset gets its prompts by its tables, and no list is
 * edited.
 */

/** Arguments of a prompt as they were given. */
export type PromptArguments = Readonly<Record<string, string>>

export interface PromptArgument {
  readonly name: string
  readonly description: string
  readonly required: boolean
}

export interface PromptJob {
  readonly name: string
  readonly title: string
  readonly description: string
  /** First words of URIs, one of which a dataset must have: names that such tables go by, or `changes`. */
  readonly needs: readonly string[]
  readonly arguments: readonly PromptArgument[]
  /** What the model is asked to do, over these datasets, with the tools there are. */
  readonly steps: (
    given: PromptArguments,
    datasets: readonly string[],
    hasTool: (name: string) => boolean,
  ) => readonly string[]
}

const quoted = (text: string | undefined): string => JSON.stringify(text ?? '')

const listed = (datasets: readonly string[]): string => datasets.join(', ')

const searchCall = (query: string | undefined, datasets: readonly string[]): string =>
  `\`search\` with query ${quoted(query)} and datasets ${JSON.stringify(datasets)}`

export const promptJobs: readonly PromptJob[] = [
  {
    name: 'look_up_company',
    title: 'Look up a company',
    description: 'Who a company is: names, seat, register, status and who acts for it.',
    needs: ['company', 'companies', 'lei'],
    arguments: [{ name: 'name', description: 'Name of the company, or a part of it.', required: true }],
    steps: ({ name }, datasets) => [
      `Look up the company ${quoted(name)} in ${listed(datasets)}.`,
      `1. Call ${searchCall(name, datasets)}. Without a hit, try fewer words or another spelling before you say that there is none.`,
      '2. If several companies fit, say which there are, with seat and register number, and go on with the one that is meant; ask if you cannot tell.',
      '3. Call `fetch` with its URI, and follow `next` where the record is paged.',
      '4. Say its name and earlier names, seat, register number, status, and who acts for it; former officers apart from present ones.',
      '5. A name found here is no proof of identity: say what tells this company apart from others of the same name.',
    ],
  },
  {
    name: 'check_name',
    title: 'Check a name against sanctions lists',
    description: 'Whether a person or organisation may be on a list, and which entries come close.',
    needs: ['designation', 'entity', 'entry', 'ftm_entity', 'sdn', 'subject'],
    arguments: [
      { name: 'name', description: 'Name of the person or organisation.', required: true },
      { name: 'details', description: 'What else is known: date of birth, nationality, address.', required: false },
    ],
    steps: ({ name, details }, datasets, hasTool) => [
      `Check ${quoted(name)} against ${listed(datasets)}.${details === undefined ? '' : ` Known beside the name: ${quoted(details)}.`}`,
      hasTool('screen_name')
        ? `1. Call \`screen_name\` with name ${quoted(name)}${datasets.length === 1 ? ` and datasets ${JSON.stringify(datasets)}` : ''}. It finds other orders and a typing error by itself; call it again with other transcriptions (in Latin letters where \`problems\` has SCRIPT_NOT_COVERED), without middle names, and with a lower threshold.`
        : `1. Call ${searchCall(name, datasets)}; then again with other spellings, the order of names turned round, and without middle names.`,
      '2. Call `fetch` for every entry that comes close: aliases, dates of birth, nationalities, identifiers and the programme are in the record.',
      '3. For each entry say what agrees with what is known and what contradicts it. A name alone is never a match.',
      '4. Say which lists were searched, in which version, with which spellings, which are in `leftOut`, and all that `problems` says of them (incomplete, old, given by hand). Call a list a sanctions list only where its `listKind` is sanctions: people on a list of the kind pep are under no suspicion. Without a hit, absence from these lists as of their dates is all that this can show: it is no clearance.',
    ],
  },
  {
    name: 'departures_at_stop',
    title: 'Departures at a stop',
    description: 'What leaves a stop, by the timetable, at a given time.',
    needs: ['stop', 'stops'],
    arguments: [
      { name: 'stop', description: 'Name of the stop or station.', required: true },
      { name: 'when', description: 'Day and time; now without it.', required: false },
    ],
    steps: ({ stop, when }, datasets) => [
      `Find the departures at ${quoted(stop)} ${when === undefined ? 'from now on' : `for ${quoted(when)}`} in ${listed(datasets)}.`,
      `1. Call ${searchCall(stop, datasets)}, and choose the stop that is meant; ask if several towns have one of that name.`,
      '2. Call the query tool for departures of that dataset (`list_datasets` names its tools) with the stop and the time. Platforms of a station may be stops of their own.',
      '3. Say line, direction, time and platform, in order of time. Times past 24:00 belong to the day before.',
      '4. This is the timetable as published, not live: say so, and until when it is valid.',
    ],
  },
  {
    name: 'what_changed',
    title: 'What changed',
    description: 'What reads differently in a dataset since a version or a date.',
    needs: ['changes'],
    arguments: [
      {
        name: 'since',
        description: 'A version from an earlier answer, or a date; the previous version without it.',
        required: false,
      },
    ],
    steps: ({ since }, datasets) => [
      `Say what changed in ${listed(datasets)} ${since === undefined ? 'with the latest version' : `since ${quoted(since)}`}.`,
      `1. Call \`changes\` for each dataset${since === undefined ? '' : `, with ${quoted(since)} as \`since\` (a day as YYYY-MM-DD); say so where nothing that old is kept`}, and go on with \`next\` as \`offset\` while \`truncated\` is true.`,
      `2. Begin with the counts per table. Then tell the changes that matter, old value and new, each with its URI; do not list hundreds.`,
      `3. An entry with \`belongsTo\` is part of another record: tell it with that.`,
    ],
  },
]
