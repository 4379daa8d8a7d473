import { invalidField } from '#platform/errors.ts'

const timeForm = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)([Zz]|[+-]\d{2}:\d{2})?$/

/**
 * When a new API key ends; null means never.
 * @param latest when the API key ends that makes it; null when nothing limits it.
 * @param text RFC 3339, or `YYYY-MM-DD HH:MM:SS` in UTC (contract, section 1).
 * @throws AppError 400 when it is no time, has passed, or is later than `latest`.
 */
export const expiryFrom = (text: string | null | undefined, now: Date, latest: Date | null = null): Date | null => {
  const expiresAt = text === null || text === undefined ? null : momentOf(text, now)
  if (latest === null || (expiresAt !== null && expiresAt <= latest)) return expiresAt
  throw invalidField(
    'expires_at',
    `A key that is made with an API key may not outlive it: choose a time up to ${latest.toISOString()}.`,
  )
}

const momentOf = (text: string, now: Date): Date => {
  const [, day = '', hours = '', zone = 'Z'] = timeForm.exec(text) ?? []
  const time = new Date(`${day}T${hours}${zone.toUpperCase()}`)
  // The day is compared as well, because 31 February would become 3 March.
  const isReal = !Number.isNaN(time.getTime()) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
  // An offset can lead past the last year that timestamps are written with.
  if (!isReal || time.getUTCFullYear() > 9999)
    throw invalidField('expires_at', 'Expected a date and time such as 2027-01-31T00:00:00Z.')
  if (time <= now) throw invalidField('expires_at', 'Choose a time in the future.')
  return time
}
