/** When a cron expression fires next. node-cron knows; nothing here does cron arithmetic of its own. */
import { createTask, validateDetailed } from 'node-cron'
import { StichtagError } from '../errors.ts'
import type { PipelineDefinition } from '../pipeline/types.ts'
import { cronOverride } from '../settings.ts'

/** A dataset's cron expression and IANA time zone. */
export interface Schedule {
  readonly cron: string
  readonly timeZone: string
}

/** Whether two schedules mean the same turns. */
export const isSameSchedule = (one: Schedule, other: Schedule): boolean =>
  one.cron === other.cron && one.timeZone === other.timeZone

/** The schedule of a pipeline, or the one that a setting gives it. Throws USAGE for an expression that is none. */
export const scheduleOf = (definition: Pick<PipelineDefinition, 'id' | 'schedule'>): Schedule => {
  const cron = cronOverride(definition.id) ?? definition.schedule.cron
  const { valid, errors } = validateDetailed(cron)
  if (!valid) {
    const why = errors.map((error) => error.message).join('; ')
    throw new StichtagError('USAGE', `${definition.id}: "${cron}" is no cron expression: ${why}`, {
      data: { dataset: definition.id, cron },
    })
  }
  return { cron, timeZone: definition.schedule.timeZone }
}

/** The next runs from now on, soonest first. */
export const nextRuns = ({ cron, timeZone }: Schedule, count: number): Date[] => {
  const task = createTask(cron, () => undefined, { timezone: timeZone })
  try {
    return task.getNextRuns(count)
  } finally {
    // A task that was never started holds no timer; destroying it only takes it out of node-cron's registry.
    void task.destroy()
  }
}

/** Milliseconds between the next two turns; 0 where there are no two. */
export const betweenTurnsMs = (schedule: Schedule): number => {
  const [first, second] = nextRuns(schedule, 2)
  return first === undefined || second === undefined ? 0 : second.getTime() - first.getTime()
}

/**
 * The run after an instant, near enough to tell what is overdue: node-cron counts from now only, so the distance of the
 * two runs to come is taken for the distance of past ones.
 */
export const runAfter = (schedule: Schedule, instant: Date): Date | null => {
  const between = betweenTurnsMs(schedule)
  return between === 0 ? null : new Date(instant.getTime() + between)
}
