import type { TFunction } from 'i18next'
import { formatMoney as decimalOf, type Minor } from '#platform/money.ts'
import { formatMoney, formatRate } from '#ui/texts/format.ts'
import type { Tally } from './draft/differences.ts'
import type { Discount, Terms } from './draft/terms.ts'
import type { Quotation } from './quotation.ts'

type Person = Quotation['user'] | NonNullable<Quotation['assignee']>

/** What somebody is called; the e-mail of who has not said. */
export const nameOf = ({ first_name: first, last_name: last, email }: Omit<Person, 'division'>): string =>
  `${first} ${last}`.trim() || email

export const amountOf = (amount: Minor, { currency, digits }: Pick<Terms, 'currency' | 'digits'>): string =>
  formatMoney(decimalOf(amount, digits), currency)

/** Ten-thousandths of a percent, as the language writes percent. */
export const rateOf = (value: bigint): string => formatRate(Number(value) / 1_000_000)

/** A discount by what was given: 7.5%, or an amount. */
export const discountWords = ({ type, value }: Pick<Discount, 'type' | 'value'>, terms: Terms): string =>
  type === 'fixed' ? amountOf(value, terms) : rateOf(value)

/** How many of each kind differ, in words: `2 prices lower, 1 line added`. */
export const tallyWords = (tally: Tally, t: TFunction): string =>
  (['lower', 'higher', 'quantities', 'added', 'removed', 'discounts'] as const)
    .filter((kind) => tally[kind] > 0)
    .map((kind) => t(`tally.${kind}`, { count: tally[kind] }))
    .join(', ')
