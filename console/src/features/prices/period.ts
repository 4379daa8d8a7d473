import type { TFunction } from 'i18next'
import type { Schema } from '#api/types.ts'
import { formatUtcDate } from '#ui/texts/format.ts'

type Price = Schema<'Price'>

const isoDay = (at: Date): string => at.toISOString().slice(0, 10)

/** A price holds from the beginning of a day to the end of one, in UTC: the days as a form has them. */
export const firstDay = ({ valid_from: from }: Pick<Price, 'valid_from'>): string => isoDay(new Date(from))
export const lastDay = ({ valid_to: to }: Pick<Price, 'valid_to'>): string =>
  to === null ? '' : isoDay(new Date(Date.parse(to) - 1))

/** The time of a page is not renewed every second: what was made just now holds now. */
const renewedMs = 15_000

/** Whether a price holds at a moment, and if not, why. */
export const heldAt = (price: Price, now: Date): 'now' | 'later' | 'over' | 'other_currency' => {
  const { valid_from: from, valid_to: to, currency, list_currency: listCurrency } = price
  if (to !== null && Date.parse(to) <= now.getTime()) return 'over'
  if (currency !== listCurrency) return 'other_currency'
  return Date.parse(from) > now.getTime() + renewedMs ? 'later' : 'now'
}

/** When a price holds: `1 Jun 2026 – 31 Aug 2026`, or without its end. @param t texts of prices */
export const formatPeriod = (price: Pick<Price, 'valid_from' | 'valid_to'>, t: TFunction): string => {
  const from = formatUtcDate(new Date(firstDay(price)))
  const last = lastDay(price)
  return last === '' ? t('from', { from }) : t('from_to', { from, to: formatUtcDate(new Date(last)) })
}
