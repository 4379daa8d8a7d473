/** Languages that people are written to in. */
export const mailLocales = ['en', 'tr'] as const
export type MailLocale = (typeof mailLocales)[number]

/** Somebody who can be written to, and what they have said of themselves; empty where they have not. */
export interface Addressee {
  readonly email: string
  readonly locale: MailLocale | ''
  readonly timeZone: string
}

/** How a message is to be written. */
export interface Reader {
  readonly locale: MailLocale
  readonly timeZone: string
}

/** English and UTC for whoever has not said. */
export const readerOf = ({ locale, timeZone }: Pick<Addressee, 'locale' | 'timeZone'>): Reader => ({
  locale: locale === '' ? 'en' : locale,
  timeZone: timeZone === '' ? 'UTC' : timeZone,
})

/** The time in the words and the zone of its reader, with the name of the zone, which tells summer time apart too. */
export const timeText = (time: Date, { locale, timeZone }: Reader): string => {
  const { whole, zone } = formatsOf(locale, timeZone)
  return `${whole.format(time)} (${zone(time)})`
}

interface Formats {
  readonly whole: Intl.DateTimeFormat
  readonly zone: (time: Date) => string
}

/** To make a format takes longer than to write a message, and there are few of them. */
const made = new Map<string, Formats>()

const formatsOf = (locale: MailLocale, timeZone: string): Formats => {
  const key = `${locale} ${timeZone}`
  const formats = made.get(key) ?? makeFormats(locale, timeZone)
  made.set(key, formats)
  return formats
}

/** English as most of the world writes it: the day before the month, hours up to 24. */
const formOf: Readonly<Record<MailLocale, string>> = { en: 'en-GB', tr: 'tr' }

const makeFormats = (locale: MailLocale, timeZone: string): Formats => {
  try {
    const whole = new Intl.DateTimeFormat(formOf[locale], { dateStyle: 'full', timeStyle: 'short', timeZone })
    const named = new Intl.DateTimeFormat(formOf[locale], { timeZoneName: 'long', timeZone })
    const zone = (time: Date): string =>
      named.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
    return { whole, zone: timeZone === 'UTC' ? () => 'UTC' : zone }
  } catch {
    // A zone that this version of Node.js does not know must not stop the change that the message is about.
    return makeFormats(locale, 'UTC')
  }
}
