/**
 * Structured log lines, always to stderr: stdout belongs to results and, over stdio, to the protocol. Daemons write them
 * as JSON; a command that ends, or a terminal, gets the same in words.
 */
import { destination, pino } from 'pino'
import { logInWords } from './log-in-words.ts'
import { logFormat, logLevel } from './settings.ts'

export type Log = pino.Logger

const stderr = destination({ dest: 2, sync: true })
let isInWords = logFormat() === 'text'

const write = (line: string): void => {
  const text = isInWords ? logInWords(line) : line
  if (text !== '') stderr.write(text)
}

/** The process's logger; `STICHTAG_LOG` sets the least level. */
export const log: Log = pino({ level: logLevel(), base: null }, { write })

/** How this process's lines are written now. */
export const writtenLogFormat = (): 'json' | 'text' => (isInWords ? 'text' : 'json')

/** Has the log speak in words from now on, unless `STICHTAG_LOG_FORMAT` says otherwise. */
export const logInWordsUnlessSaid = (): void => {
  isInWords = logFormat() !== 'json'
}
