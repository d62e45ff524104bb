/** Structured log lines, always to stderr: stdout belongs to results and, over stdio, to the protocol. */
import { destination, pino } from 'pino'
import { logLevel } from './settings.ts'

export type Log = pino.Logger

/** The process's logger; `STICHTAG_LOG` sets the least level. */
export const log: Log = pino({ level: logLevel(), base: null }, destination({ dest: 2, sync: true }))
