import i18next from 'i18next'

/** The zone that times are told in; the browser's while it is undefined. */
let zone: string | undefined

/** Tells times in the zone that somebody has chosen; with an empty name in the browser's. */
export const setTimeZone = (name: string): void => {
  zone = name === '' ? undefined : name
}

const cached = <Format>(make: (language: string, key: string) => Format) => {
  const known = new Map<string, Format>()
  return (key = ''): Format => {
    const { language } = i18next
    const name = `${language} ${zone} ${key}`
    const format = known.get(name) ?? make(language, key)
    known.set(name, format)
    return format
  }
}

const numbers = cached((language) => new Intl.NumberFormat(language))
const percents = cached(
  (language) =>
    // 1,999 of 2,000 are not all.
    new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1, roundingMode: 'floor' }),
)
const rates = cached((language) => new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 4 }))
const money = cached(
  (language, currency) =>
    new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }),
)
const amounts = cached(
  (language, digits) =>
    new Intl.NumberFormat(language, { minimumFractionDigits: Number(digits), maximumFractionDigits: Number(digits) }),
)
/** Short and not narrow forms: narrow ones say `d` for minutes in Turkish, and for days in English. */
const units = cached(
  (language, unit) =>
    new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 }),
)
const relative = cached((language) => new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' }))
const lists = cached((language) => new Intl.ListFormat(language, { type: 'conjunction' }))
const dates = cached(
  (language, timeZone) =>
    new Intl.DateTimeFormat(language, {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      timeZone: timeZone === '' ? zone : timeZone,
    }),
)
const clocks = cached(
  (language) =>
    new Intl.DateTimeFormat(language, {
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
      timeZone: zone,
    }),
)
const hours = cached(
  (language) =>
    new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: zone }),
)
const moments = cached(
  (language, timeZone) =>
    new Intl.DateTimeFormat(language, {
      dateStyle: 'medium',
      timeStyle: 'medium',
      hourCycle: 'h23',
      timeZone: timeZone === '' ? zone : timeZone,
    }),
)

const dueDays = cached(
  (language) => new Intl.DateTimeFormat(language, { weekday: 'short', day: 'numeric', month: 'short', timeZone: zone }),
)
const days = cached((language) => new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: zone }))

/** A count with the separators of the language. */
export const formatNumber = (value: number): string => numbers().format(value)

/** A part of a whole, as `99.5%`; rounded down, so that only a whole is 100%. @param part 0 to 1 */
export const formatPercent = (part: number): string => percents().format(part)

/** A rate as it was agreed on, with up to four digits: `7.5%`. @param part 0 to 1 */
export const formatRate = (part: number): string => rates().format(part)

/** A decimal text of the API in its currency; the digits are not rounded through a float. */
export const formatMoney = (amount: string, currency: string): string =>
  money(currency).format(amount as Intl.StringNumericLiteral)

/** A decimal text of the API without its currency, as columns have it: all digits that it has, `1,234.50`. */
export const formatAmount = (amount: string): string =>
  amounts(String(amount.split('.')[1]?.length ?? 0)).format(amount as Intl.StringNumericLiteral)

/** A day, as `30 Nov 2026`. */
export const formatDate = (at: Date): string => dates().format(at)

/** A day of UTC, as `30 Nov 2026`, for what begins and ends with such days. */
export const formatUtcDate = (at: Date): string => dates('UTC').format(at)

/** A day, without its year where that is the present one: `30 Nov`, `30 Nov 2024`. */
export const formatNearDay = (at: Date, now: Date): string =>
  at.getFullYear() === now.getFullYear() ? days().format(at) : dates().format(at)

/** A day of about now, as `30 Nov`. */
export const formatDay = (at: Date): string => days().format(at)

/** The time of a day, to the second. */
export const formatClock = (at: Date): string => clocks().format(at)

/** The time of a day, to the minute. */
export const formatHour = (at: Date): string => hours().format(at)

/** A moment in the reader's zone, to the second. */
export const formatMoment = (at: Date): string => moments().format(at)

/** A moment in UTC, to the second, with the zone behind it. */
export const formatUtc = (at: Date): string => `${moments('UTC').format(at)} UTC`

/** A place on an axis of time: the hour while the whole is no longer than two days, else the day. @param lengthMs of the whole */
export const formatTick = (at: Date, lengthMs: number): string => (lengthMs <= 2 * dayMs ? hours() : days()).format(at)

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** `5 min ago`, `in 2 h`; within a day only, beyond it the date says more. */
export const formatRelative = (at: Date, now: Date): string => {
  const ms = at.getTime() - now.getTime()
  const size = Math.abs(ms)
  if (size >= dayMs) return formatDate(at)
  if (size >= hourMs) return relative().format(Math.round(ms / hourMs), 'hour')
  if (size >= minuteMs) return relative().format(Math.round(ms / minuteMs), 'minute')
  // Clocks differ by some seconds, and `now` is not renewed every second.
  return relative().format(size < 10_000 ? 0 : Math.round(ms / 1_000), 'second')
}

/** A day to come, as `Mon, 30 Nov`; within the next two days with the hour. */
export const formatDue = (at: Date, now: Date): string =>
  at.getTime() - now.getTime() < 2 * dayMs ? `${dueDays().format(at)}, ${hours().format(at)}` : dueDays().format(at)

/** As `formatRelative` within a day, and before it the day with the time: `24 Nov 19:42:55`. */
export const formatLogTime = (at: Date, now: Date): string =>
  Math.abs(at.getTime() - now.getTime()) < dayMs
    ? formatRelative(at, now)
    : `${days().format(at)} ${clocks().format(at)}`

/** A duration in the unit that reads best, in the words of the language: `340 ms`, `1.2 sec`, `4 min`, `3 hr`, `2 days`. @param ms milliseconds */
export const formatDuration = (ms: number): string => {
  if (ms < 1_000) return units('millisecond').format(Math.round(ms))
  if (ms < minuteMs) return units('second').format(Math.round(ms / 100) / 10)
  if (ms < hourMs) return units('minute').format(Math.round(ms / minuteMs))
  if (ms < 2 * dayMs) return units('hour').format(Math.round(ms / hourMs))
  return units('day').format(Math.round(ms / dayMs))
}

/** Bytes of the next larger unit. */
const step = 1_000
const sizes = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** A size as `812 B`, `14 KB`, `1.2 MB`, `77.9 GB`: by thousands, as the server says it. */
export const formatBytes = (bytes: number): string => {
  const power = Math.min(sizes.length - 1, bytes < step ? 0 : Math.floor(Math.log10(bytes) / 3))
  const value = bytes / step ** power
  return `${formatNumber(power < 2 ? Math.round(value) : Math.round(value * 10) / 10)} ${sizes[power]}`
}

/** Several things in one text, as the language joins them: `a, b and c`. */
export const formatList = (all: readonly string[]): string => lists().format(all)
