import { invalidField } from './errors.ts'

const dayPattern = '((?!0000)[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01]))'
const minutePattern = '(?:[01][0-9]|2[0-3]):[0-5][0-9]'
const hoursPattern = String.raw`[Tt ]((?:${minutePattern}:[0-5][0-9]|24:00:00)(?:\.[0-9]{1,9})?)(?:([Zz])|([+-]${minutePattern}))?`
/** The form of a time in a request, and of a time or a date. */
export const timePattern = `^${dayPattern}${hoursPattern}$`
export const timeOrDatePattern = `^${dayPattern}(?:${hoursPattern})?$`
const timeForm = new RegExp(timePattern)

/** Reads RFC 3339, or `YYYY-MM-DD HH:MM:SS` in UTC (contract, section 1); undefined when the text is not such a time. */
export const parseTime = (text: string): Date | undefined => {
  const [, day = '', hours = '', , offset] = timeForm.exec(text) ?? []
  const time = new Date(`${day}T${hours}${offset ?? 'Z'}`)
  // The date is compared as well, because 31 February would become 3 March. Years outside 1–9999 cannot be stored.
  const isReal = !Number.isNaN(time.getTime()) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
  const year = isReal ? time.getUTCFullYear() : 0
  return year < 1 || year > 9999 ? undefined : time
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
