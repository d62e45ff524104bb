/** Times of a service day as GTFS writes them: `HH:MM:SS`, `H:MM:SS`, and past 24:00:00 for what goes on after midnight. */

const colon = 0x3a

/** A digit's value; NaN for any other character, and past the end. */
const digit = (text: string, at: number): number => {
  const value = text.charCodeAt(at) - 0x30
  return value >= 0 && value <= 9 ? value : Number.NaN
}

const twoDigits = (text: string, at: number): number => digit(text, at) * 10 + digit(text, at + 1)

/** Seconds since the service day began; undefined for what is no time. Read by its characters: millions come through here. */
export const secondsOf = (text: string): number | undefined => {
  const minutesAt = text.length - 5
  if (minutesAt < 2 || minutesAt > 4) return undefined
  if (text.charCodeAt(minutesAt - 1) !== colon || text.charCodeAt(minutesAt + 2) !== colon) return undefined
  let hours = 0
  for (let at = 0; at < minutesAt - 1; at++) hours = hours * 10 + digit(text, at)
  const minutes = twoDigits(text, minutesAt)
  const seconds = twoDigits(text, minutesAt + 3)
  return minutes < 60 && seconds < 60 && hours >= 0 ? hours * 3600 + minutes * 60 + seconds : undefined
}
