/**
 * Tell: whoever a setting names is told what a run did, after its lock is released. Whatever becomes of the telling, the
 * outcome stays what it is.
 */
import { asStichtagError } from '../errors.ts'
import type { Log } from '../log.ts'
import { runHook } from './hook-command.ts'
import type { RunResult } from './run.ts'
import { postWebhook } from './webhook.ts'

export interface TellOptions {
  /** Command of the hook, URL of the webhook. */
  readonly hook: string | undefined
  readonly webhook: string | undefined
  readonly signal: AbortSignal
  readonly log: Log
}

const hookTimeoutMs = 60_000

/** Nothing new is no news, nor is a run that its own user ended. */
const isNews = ({ outcome, reason }: RunResult): boolean =>
  outcome !== 'unchanged' && outcome !== 'busy' && reason?.code !== 'CANCELLED'

/** Tells hook and webhook of a run that was published, refused or failed; a telling that fails is logged. */
export const tellOf = async (result: RunResult, { hook, webhook, signal, log }: TellOptions): Promise<void> => {
  if (!isNews(result)) return
  const tellings = [
    ...(hook === undefined ? [] : [runHook(hook, result, { signal, timeoutMs: hookTimeoutMs })]),
    ...(webhook === undefined ? [] : [postWebhook(webhook, result, { signal })]),
  ]
  for (const settled of await Promise.allSettled(tellings)) {
    if (settled.status === 'fulfilled') continue
    const { code, message } = asStichtagError(settled.reason)
    log.error({ dataset: result.dataset, outcome: result.outcome, code }, `not told: ${message}`)
  }
}
