#!/usr/bin/env node
/**
 * The command line's entry: runs the program and turns whatever is thrown into words on stderr, an exit status, and with
 * `--json` one document on stdout.
 */
import { CommanderError } from 'commander'
import { asStichtagError, StichtagError } from '../errors.ts'
import { log, logInWordsUnlessSaid } from '../log.ts'
import { outliveClosedPipes } from './closed-pipe.ts'
import { hintOf } from './hint.ts'
import { suggestion } from './nearest.ts'
import { buildProgram } from './program.ts'
import { terminal } from './terminal.ts'

/** Whether the document is asked for, also where the words around it could not be understood. */
const wantsJson = (words: readonly string[]): boolean => {
  const end = words.indexOf('--')
  return words.slice(0, end === -1 ? undefined : end).includes('--json')
}

/** An unknown dataset with the known name that it was probably meant to be. */
const withSuggestion = (error: StichtagError): StichtagError => {
  const { dataset, known } = error.data
  if (error.code !== 'UNKNOWN_DATASET' || typeof dataset !== 'string' || !Array.isArray(known)) return error
  const names = known.filter((each) => typeof each === 'string')
  return new StichtagError(error.code, `${error.message}${suggestion(dataset, names)}`, { cause: error })
}

const words = process.argv.slice(2)
/** Commands whose log is kept and searched, unless somebody sits before it; all others end, and are watched. */
const daemons = ['serve', 'schedule']
const isDaemon = daemons.includes(words.find((word) => !word.startsWith('-')) ?? '')
if (!isDaemon || process.stderr.isTTY) logInWordsUnlessSaid()
outliveClosedPipes(words)
try {
  await buildProgram(wantsJson(words)).parseAsync()
} catch (thrown) {
  const json = wantsJson(words)
  if (thrown instanceof CommanderError) {
    // Commander has told people already; asking for help or the version is no error.
    process.exitCode = thrown.exitCode === 0 ? 0 : 2
    const hint = hintOf(thrown.code, words)
    if (hint !== undefined) terminal.note(hint)
    const refused = thrown.message.replace(/^error: /, '').replaceAll('\n', ' ')
    const message = hint === undefined ? refused : `${refused} (${hint})`
    if (thrown.exitCode !== 0 && json) terminal.error({ code: 'USAGE', message })
  } else {
    const error = withSuggestion(asStichtagError(thrown))
    if (error.code === 'INTERNAL') log.error({ err: thrown }, error.message)
    terminal.note(`${error.code}: ${error.message}`)
    if (json) terminal.error(error)
    process.exitCode = error.kind.exit
  }
}
