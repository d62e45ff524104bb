/** Days as GTFS writes them: `YYYYMMDD`. */

const daysIn = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const

const isLeapYear = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

/** Whether there is such a day: 20230229 and 00000000 are none. */
export const isDay = (text: string): boolean => {
  if (!/^\d{8}$/.test(text)) return false
  const number = Number(text)
  const month = Math.floor(number / 100) % 100
  const day = number % 100
  const days = month === 2 && isLeapYear(Math.floor(number / 10_000)) ? 29 : daysIn[month - 1]
  return days !== undefined && day >= 1 && day <= days
}
