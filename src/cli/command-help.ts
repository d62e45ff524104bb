/** What `--help` of each command says beside its options: examples, and what its exit statuses mean. Data, one row a command. */

export interface CommandHelp {
  /** Command lines without the program's name, each with what it does. */
  readonly examples: readonly (readonly [line: string, does: string])[]
  /** Exit statuses beside 0 and 2. */
  readonly exits: Readonly<Record<number, string>>
}

const failed = { 3: 'it failed' } as const

export const commandHelp = {
  ingest: {
    examples: [
      ['ingest offeneregister', 'fetch what is new, build a snapshot, publish it'],
      ['ingest offeneregister --sample', 'the bundled, invented sample instead'],
      ['ingest offeneregister --from companies.jsonl.bz2', 'a file of yours instead'],
      ['ingest offeneregister --dry-run', 'only say what a run would do'],
      ['ingest --all --json', 'every pipeline; results as one JSON array'],
    ],
    exits: {
      3: 'a run failed, or another one was at work',
      4: 'a guard refused a delivery (of several runs, 3 counts)',
    },
  },
  schedule: {
    examples: [
      ['schedule', 'all datasets that were ingested once'],
      ['schedule --datasets offeneregister,unsc', 'these, and at once where there is nothing yet'],
    ],
    exits: failed,
  },
  serve: {
    examples: [
      ['serve --http', 'on http://127.0.0.1:8920/mcp'],
      ['serve --stdio', 'for a host that starts this process'],
      ['serve --http 0.0.0.0:8920 --token-file tokens', 'beyond this machine, with tokens'],
      ['serve --http --schedule', 'and keep the datasets current as well'],
    ],
    exits: failed,
  },
  status: {
    examples: [
      ['status', 'every dataset, and why its state is what it is'],
      ['status offeneregister', 'only this one'],
      ['status --json', 'as one JSON array'],
    ],
    exits: failed,
  },
  snapshots: {
    examples: [
      ['snapshots offeneregister', 'kept versions, newest first'],
      ['snapshots offeneregister --pin 20261201T030512Z-3f9a1c2b', 'have prune keep that one'],
    ],
    exits: failed,
  },
  diff: {
    examples: [
      ['diff offeneregister', 'what the current snapshot changed'],
      ['diff offeneregister 20261101T030512Z-1b2c3d4e', 'from that version to the current one'],
    ],
    exits: failed,
  },
  rollback: {
    examples: [
      ['rollback offeneregister', 'back to the version before'],
      ['rollback offeneregister 20261101T030512Z-1b2c3d4e', 'back to that one'],
    ],
    exits: { 3: 'it failed, or the dataset is busy', 4: 'refused: a sample never replaces real data' },
  },
  release: {
    examples: [['release offeneregister 20261201T030512Z-3f9a1c2b', 'make a refused or held version current']],
    exits: { 3: 'it failed, or the dataset is busy', 4: 'refused: a sample never replaces real data' },
  },
  prune: {
    examples: [
      ['prune', 'every dataset of the store'],
      ['prune offeneregister', 'only this one'],
    ],
    exits: { 3: 'it failed, or a dataset is busy' },
  },
  doctor: {
    examples: [
      ['doctor', 'every dataset of the store'],
      ['doctor offeneregister --json', 'one dataset; findings as one JSON array'],
    ],
    exits: { 3: 'something is wrong' },
  },
  read: {
    examples: [
      ['read offeneregister://dataset', 'what a dataset is, for people'],
      ['read offeneregister://company/K1101R_HRB150148 --json', 'one record, as a program wants it'],
    ],
    exits: { 3: 'nothing is there' },
  },
  query: {
    examples: [
      ['query offeneregister getByNumber companyNumber=K1101R_HRB150148', 'a query of the schema'],
      [`query offeneregister freeQuery sql='SELECT count(*) FROM company'`, 'a statement of your own'],
    ],
    exits: { 3: 'the statement failed, or ran too long' },
  },
  call: {
    examples: [
      ["call screen_name name='Aiman al Zawahiri'", 'a name, looked up in every sanctions list that is installed'],
      ['call search query=musterfirma datasets=offeneregister limit=5', 'words in, records out'],
      [`call list_datasets --arguments '{"dataset": "offeneregister"}'`, 'arguments as JSON'],
    ],
    exits: { 3: 'the tool failed, or found nothing at an address' },
  },
  watch: {
    examples: [
      ['watch offeneregister://dataset', 'on a gateway that it starts'],
      ['watch offeneregister://dataset --http http://127.0.0.1:8920/mcp', 'on one that runs'],
      ['watch unsc://dataset --http https://data.example/mcp --token-file token', 'on one that asks for a token'],
    ],
    exits: { 3: 'the gateway does not answer or ended, or nothing can ever be at a URI' },
  },
  'install-host': {
    examples: [
      ['install-host claude-code', 'print the configuration'],
      ['install-host vscode --write', 'merge it into .vscode/mcp.json'],
    ],
    exits: failed,
  },
  validate: {
    examples: [
      ['validate schema.mjs', 'one file'],
      ['validate schemas --json', 'every *.mjs file of a folder; findings as one JSON array'],
    ],
    exits: { 1: 'a schema has errors', 3: 'a file cannot be read' },
  },
  demo: {
    examples: [['demo', 'publish, subscribe, publish again, and who is told what']],
    exits: { 3: 'a step did not happen as told' },
  },
} as const satisfies Readonly<Record<string, CommandHelp>>

const none: CommandHelp = { examples: [], exits: {} }

/** The help of a command, as it stands below its options. */
export const helpAfter = (command: string): string => {
  const { examples, exits }: CommandHelp = Object.hasOwn(commandHelp, command)
    ? commandHelp[command as keyof typeof commandHelp] // a key of it, as hasOwn has just said
    : none
  const lines = examples.map(([line, does]) => `  stichtag ${line}\n      ${does}`)
  const statuses = { 0: 'done', ...exits, 2: 'wrong usage; nothing was done' }
  return [
    '',
    'Examples:',
    ...lines,
    '',
    'Exit status:',
    ...Object.entries(statuses).map(([status, means]) => `  ${status}  ${means}`),
  ].join('\n')
}
