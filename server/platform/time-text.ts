import { invalidField } from './errors.ts'

const leapYear = '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)'
const days = '(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)'
/** Every day that there is. */
const dayPattern = `((?!0000)(?:[0-9]{4}-${days}|${leapYear}-02-29))`
const minutePattern = '(?:[01][0-9]|2[0-3]):[0-5][0-9]'
const hoursPattern = String.raw`[Tt ](${minutePattern}:[0-5][0-9](?:\.[0-9]{1,9})?|24:00:00(?:\.0{1,9})?)(?:([Zz])|([+-]${minutePattern}))?`
/** The form of a time in a request, and of a time or a date. */
export const timePattern = `^${dayPattern}${hoursPattern}$`
export const timeOrDatePattern = `^${dayPattern}(?:${hoursPattern})?$`
const timeForm = new RegExp(timePattern)

/** Reads RFC 3339, or `YYYY-MM-DD HH:MM:SS` in UTC (contract, section 1); undefined when the text is not such a time. */
export const parseTime = (text: string): Date | undefined => {
  const [, day = '', hours = '', , offset] = timeForm.exec(text) ?? []
  const time = new Date(`${day}T${hours}${offset ?? 'Z'}`)
  // Years outside 1–9999 cannot be stored.
  return time.getUTCFullYear() >= 1 && time.getUTCFullYear() <= 9999 ? time : undefined
}

/** The error for a text that is not a time. */
export const notATime = 'Expected a date and time such as 2026-11-21T09:30:00Z.'

/** Reads a filter by time; undefined when there is none. @throws AppError 400 that names it. */
export const timeFrom = (field: string, text: string | undefined): Date | undefined => {
  if (text === undefined) return undefined
  const time = parseTime(text)
  if (time === undefined) throw invalidField(field, notATime)
  return time
}
