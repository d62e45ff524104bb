/**
 * What hosts see of a dataset's last run. Why a run failed is worded for whoever runs it, and may name files of this
 * machine (`--from`, a store that cannot be written): of such a reason hosts get the code, and a sentence that belongs to
 * it. Only reasons that are made of figures and versions travel as they are. `stichtag status` shows all of it.
 */
import type { ErrorCode } from '../errors.ts'
import type { Reason, State } from '../store/state.ts'

const ownWords = Symbol('the message of the reason itself')

/** The table. What is not listed is said by `otherwise`. */
const wordings: Partial<Record<ErrorCode, string | typeof ownWords>> = {
  GUARD: ownWords,
  HELD: ownWords,
  CANCELLED: 'Somebody ended the run before it was over.',
  SOURCE_UNREACHABLE: 'The source could not be reached.',
  SOURCE_FAILED: 'The source answered with an error, or broke off.',
  SOURCE_RETIRED: 'The source is not at its address any more.',
  NOT_WHAT_IT_SAYS: 'What the source delivered is not what it should be.',
  DATA_CORRUPT: 'A file that the source delivered ends early or is damaged.',
  RECORD_INVALID: 'A record of the delivery cannot be read.',
  FILE_NOT_FOUND: 'A file to read was not there.',
  SAMPLE_OVER_REAL: 'An invented sample never takes the place of real data.',
  PIPELINE_INVALID: 'The pipeline of this dataset is not valid.',
  POINTER_OCCUPIED: 'A file that is not of the store lies where the data must go.',
  STORE_UNWRITABLE: 'The store could not be written.',
}

const otherwise = 'The run failed for a reason that whoever runs this server can look up.'

/** A table's value under a key that comes from a file, and so may be any text. */
const wordingOf = (code: string): string | typeof ownWords =>
  Object.entries(wordings).find(([known]) => known === code)?.[1] ?? otherwise

const shownReason = ({ code, message }: Reason): Reason => {
  const wording = wordingOf(code)
  return { code, message: wording === ownWords ? message : `${wording} The current snapshot stays.` }
}

/** The last run as `dataset` and `list_datasets` show it. */
export const lastRunFacts = (lastRun: State['lastRun']) =>
  lastRun === null
    ? null
    : {
        outcome: lastRun.outcome,
        at: lastRun.at,
        ...(lastRun.reason === undefined ? {} : { reason: shownReason(lastRun.reason) }),
      }
