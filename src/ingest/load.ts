/**
 * Load: the files of a delivery, opened and read as streams, mapped by the pipeline, inserted into the building
 * snapshot. Nothing is kept in memory between records, so memory does not grow with the file.
 */
import { dirname, join } from 'node:path'
import { type Input, openInputs } from '../formats/inputs.ts'
import type { PipelineDefinition } from '../pipeline/types.ts'
import type { Building } from './building.ts'
import type { DeliveredFile } from './delivery.ts'
import { type InputAccount, warningsOf } from './input-account.ts'
import { dateWarning, PublisherDate } from './publisher-date.ts'
import { loadTarget, RecordLoader } from './record-loader.ts'

/** What became of the records of one input. */
export interface InputReport {
  /** Name of the delivered file. */
  readonly name: string
  readonly member?: string
  readonly accounting: InputAccount
}

export interface LoadReport {
  /** What became of the records of each input; of an archive's members, `member` says which. */
  readonly files: readonly InputReport[]
  /** The latest date the records gave, see `MapContext.publisherDate`. */
  readonly publisherDate: string | null
  /** Rows left out because of their key, by table, see `GuardDefinition.keys`. */
  readonly brokenKeys: Readonly<Record<string, number>>
  readonly warnings: readonly string[]
}

export interface LoadOptions {
  readonly signal: AbortSignal
  /** Records read so far, and the share of the compressed file that is read. */
  readonly onProgress: (file: string, records: number) => void
  /** Inputs that are passed over, by name, with the reason. */
  readonly ignored?: ReadonlyMap<string, string>
}

/**
 * Loads every file, one record after the other. Throws RECORD_INVALID naming file and line where a record is bad and the
 * pipeline allows none.
 */
export const load = async (
  building: Building,
  definition: PipelineDefinition,
  files: readonly DeliveredFile[],
  options: LoadOptions,
): Promise<LoadReport> => {
  const target = loadTarget(building, definition)
  const loadInput: LoadInput = async (input, about) => {
    const loader = new RecordLoader(target, about)
    const { signal, onProgress } = options
    for await (const batch of input.records({ signal, onWarning: loader.warn, onPreamble: loader.hear })) {
      loader.load(batch)
      onProgress(input.name, loader.read)
    }
    return loader.account()
  }
  const report = await loadInputs(loadInput, definition, files, { ...options, folder: dirname(building.path) })
  return { ...report, brokenKeys: target.keys.leftOut }
}

/** Loads the records of one input, and says what became of them. */
export type LoadInput = (input: Input, about: Pick<DeliveredFile, 'name' | 'said'>) => Promise<InputAccount>

/** Loads every input of every file, in whatever way. */
export const loadInputs = async (
  loadInput: LoadInput,
  definition: PipelineDefinition,
  files: readonly DeliveredFile[],
  { signal, ignored, folder }: Omit<LoadOptions, 'onProgress'> & { readonly folder: string },
): Promise<Omit<LoadReport, 'brokenKeys'>> => {
  const warnings: string[] = []
  const reports: InputReport[] = []
  const publisherDate = new PublisherDate()

  const hearDate = (
    date: Pick<PublisherDate, 'latest' | 'faults' | 'firstFault'>,
    onWarning: (warning: string) => void,
  ) => {
    if (date.latest !== null) publisherDate.say(date.latest)
    const warning = dateWarning(date)
    if (warning !== undefined) onWarning(warning)
  }

  const takeInput = async (input: Input, file: DeliveredFile, onFileWarning: (warning: string) => void) => {
    const { name, member } = input
    // What an index says of a file's records is about all of them.
    const account = await loadInput(input, member === undefined ? file : { name })
    const onWarning = (warning: string): void => onFileWarning(member === undefined ? warning : `${member}: ${warning}`)
    for (const warning of warningsOf(account)) onWarning(warning)
    hearDate(account.dates, onWarning)
    reports.push({ name: file.name, ...(member === undefined ? {} : { member }), accounting: account })
  }

  for (const file of files) {
    const source = definition.sources.find(({ name }) => name === file.name)
    const onWarning = (warning: string): void => void warnings.push(`${file.name}: ${warning}`)
    const opened = await openInputs(file.path, source?.format ?? { type: 'jsonl' }, {
      source: file.name,
      signal,
      onWarning,
      archive: source?.archive,
      // Beside the snapshot that is being built: it goes with it, whatever happens.
      workFile: join(folder, 'inner.zip'),
    })
    try {
      for (const what of opened.passedOver) onWarning(what)
      for (const input of opened.inputs) {
        const why = ignored?.get(input.name)
        if (why === undefined) await takeInput(input, file, onWarning)
        else onWarning(`${input.member ?? input.name} is not read: ${why}`)
      }
    } finally {
      await opened.close()
    }
    const said = new PublisherDate()
    if (file.said?.publisherDate !== undefined) said.say(file.said.publisherDate)
    hearDate(said, onWarning)
  }
  return { files: reports, publisherDate: publisherDate.latest, warnings }
}
