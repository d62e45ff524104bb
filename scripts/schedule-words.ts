/** A cron expression in words, as far as the pipelines of this project use cron; the expression itself for others. */

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** `35 5,17 * * *` in Europe/Brussels: "daily at 05:35, 17:35 (Europe/Brussels)". */
export const scheduleInWords = (cron: string, timeZone: string): string => {
  const fields = cron.trim().split(/\s+/)
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = fields
  const times = timesOf(minute, hour)
  const days = daysOf(day, weekday)
  if (fields.length !== 5 || month !== '*' || times === undefined || days === undefined) return `by cron (${timeZone})`
  return `${days === '' && times.startsWith('at') ? 'daily ' : days}${times} (${timeZone})`
}

const timesOf = (minute: string, hour: string): string | undefined => {
  if (!/^\d+$/.test(minute)) return undefined
  const step = /^\*\/(\d+)$/.exec(hour)?.[1]
  if (step !== undefined) return `every ${step} hours at minute ${minute}`
  if (hour === '*') return `hourly at minute ${minute}`
  if (!/^\d+(,\d+)*$/.test(hour)) return undefined
  const clock = hour.split(',').map((each) => `${each.padStart(2, '0')}:${minute.padStart(2, '0')}`)
  return `at ${clock.join(', ')}`
}

const daysOf = (day: string, weekday: string): string | undefined => {
  if (day === '*' && weekday === '*') return ''
  if (day === '*' && /^\d$/.test(weekday)) return `${weekdays[Number(weekday)]}s `
  const range = /^(\d+)-(\d+)$/.exec(day)
  if (range !== null && weekday === '*') return `on days ${range[1]} to ${range[2]} of the month `
  if (/^\d+$/.test(day) && weekday === '*') return `on day ${day} of the month `
  return undefined
}
