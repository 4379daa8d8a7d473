import type { Changing } from './changing.ts'

/** Months as English, German and Turkish call them, also without the dots of Turkish. The longer ones come first. */
const longMonth = [
  'January|February|March|April|June|July|August|September|October|November|December',
  'Januar|Jänner|Februar|März|Mai|Juni|Juli|Oktober|Dezember',
  'Ocak|[ŞS]ubat|Mart|N[iİı]san|May[ıiI]s|Haz[iİı]ran|Temmuz|A[ğĞgG]ustos|Eyl[üÜuU]l|Ek[iİı]m|Kas[ıiI]m|Aral[ıiI]k',
].join('|')
const shortMonth = [
  'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|Mrz|Okt|Dez',
  'Oca|[ŞS]ub|N[iİı]s|Haz|Tem|A[ğĞgG]u|Eyl|Ek[iİı]|Kas|Ara',
].join('|')
const month = String.raw`(?:(?:${longMonth})|(?:${shortMonth})\.?)(?![\p{L}\d])`

const englishDay =
  'Mon(?:day)?|Tue(?:s(?:day)?)?|Wed(?:nesday)?|Thu(?:rs(?:day)?)?|Fri(?:day)?|Sat(?:urday)?|Sun(?:day)?'
const germanDay = '(?:Mon|Diens|Donners|Frei|Sams|Sonn)tag|Mittwoch|(?:Mo|Di|Mi|Do|Fr|Sa|So)(?=[.,])'
const turkishDay = 'Pazartesi|Sal[ıiI]|[ÇC]ar[şŞsS]amba|Per[şŞsS]embe|Cumartesi|Cuma|Pazar'
const dayBefore = String.raw`(?:(?:${englishDay}|${germanDay}|${turkishDay})[.,]{0,2} )?`
const dayAfter = String.raw`(?:,? (?:${turkishDay})(?![\p{L}\d]))?`
const dayOfMonth = String.raw`(?<!\d)\d{1,2}(?!\d)(?:st|nd|rd|th|\.)?`
const start = String.raw`(?<![\p{L}\d_])`

const time = String.raw`\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s?[AP]M)?`
const zone = String.raw`(?:\s?(?:Z|UTC|GMT)(?![A-Za-z])|\s?[+-]\d{2}:?\d{2}(?!\d))?`

const aMonth = new RegExp(String.raw`${start}(?:${month})`, 'iu')

/** Dates and times, as people and computers write them. */
export const dates: readonly Changing[] = [
  [new RegExp(String.raw`(?<!\d)\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?!\d)(?:[T _-]?${time}${zone})?`, 'giu')],
  [/(?<!\d)(?:19|20)\d{2}_\d{2}_\d{2}(?!\d)/gu, /\d_\d{2}_\d/u],
  [new RegExp(String.raw`(?<!\d)\d{1,2}[-/.]\d{1,2}[-/.]\d{4}(?!\d)(?:[T_]${time}${zone})?`, 'giu')],
  // With a year the case of the name makes no difference; without one `3 may` is none.
  [
    new RegExp(
      String.raw`${start}${dayBefore}${dayOfMonth}[ /-]?(?:of )?${month},?[ ./-]?\d{4}(?!\d)(?:(?::|,? )${time}${zone})?${dayAfter}`,
      'giu',
    ),
    aMonth,
  ],
  [new RegExp(String.raw`${start}${dayBefore}${dayOfMonth}[ -](?:of )?${month}${dayAfter}`, 'gu'), aMonth],
  [
    new RegExp(
      String.raw`${start}${dayBefore}${month} +(?:\d{4}(?![\p{L}\d])|${dayOfMonth},?(?: ${time}${zone})?(?: \d{4}(?!\d))?)`,
      'gu',
    ),
    aMonth,
  ],
  [new RegExp(String.raw`(?<![\d:.])${time}${zone}(?![\d:])`, 'giu')],
]

/** What stands behind an amount or a duration without a blank. */
export const unit = '(?:[mµμun]s|s|secs?|mins?|m|hrs?|h|sn|dk|sa|[kmg]?b|tl|try|usd|eur|gbp|[km]?g|[cm]?m|x)'

/** Durations of several parts. What is left of `2m30s` is its last part, so that it is as `45s`. */
export const durations: readonly Changing[] = [
  [
    /(?<![\p{L}\d_])P(?:\d{1,6}[YMWD]){0,4}T(?:\d{1,6}(?:[.,]\d{1,9})?[HMS]){1,3}(?![\p{L}\d_])/gu,
    /P[\dYMWD]{0,28}T\d/u,
  ],
  [
    /(?<![\p{L}\d_])(?:\d{1,6}(?:d|hr?|sa|m|min|dk)){1,3}(?=\d{1,6}(?:[.,]\d{1,9})?(?:h|m|min|dk|s|sec|sn|ms)(?![\p{L}\d_]))/giu,
    /\d[a-z]{1,3}\d/iu,
  ],
]
