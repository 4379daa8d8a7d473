import type { TFunction } from 'i18next'
import type { RowOf } from '#api/types.ts'
import { formatDate, formatMoney } from '#ui/texts/format.ts'
import type { Tally } from '../draft/differences.ts'
import { tallyWords } from '../words.ts'

type Entry = RowOf<'/api/v1/quotations/{id}/audit'>
type Side = Readonly<Record<string, unknown>>

interface Words {
  readonly currency: string
  readonly names: ReadonlyMap<number, string>
  readonly t: TFunction
}

/** What was done, in words; of what is given and what is valid longer, which it was. */
export const auditWords = ({ action, before, after }: Entry, t: TFunction): string => {
  if (action !== 'assign' || before === null || after === null) return t(`history.${action}`)
  const isGiven = before['assignee'] !== after['assignee']
  const isLater = before['expires_at'] !== after['expires_at']
  if (isGiven === isLater) return t('history.assign')
  if (isLater) return t('history.expiry')
  return t(after['assignee'] === null ? 'history.given_back' : 'history.given')
}

/** What a change did, in words, as far as the entry says it: how many of what, whom it was given to, and the sum. */
export const auditDetail = ({ before, after }: Entry, words: Words): string | undefined => {
  // When it was made it had no other terms.
  if (before === null || after === null) return undefined
  const { t } = words
  const parts = [tallyWords(tallyOfEdit(before, after), t), givenIn(after, words), sumIn(before, after, words)]
  return parts.filter(Boolean).join(', ') || undefined
}

/** Whom it was given to, and until when it is valid. */
const givenIn = ({ assignee, expires_at: expires }: Side, { names, t }: Words): string =>
  [
    typeof assignee === 'number' ? t('history.to', { who: names.get(assignee) ?? `#${assignee}` }) : '',
    typeof expires === 'string' ? t('history.until', { day: formatDate(new Date(expires)) }) : '',
  ]
    .filter(Boolean)
    .join(', ')

const sumIn = (before: Side, after: Side, { currency, t }: Words): string => {
  const [was, is] = [before['net_amount'], after['net_amount']]
  if (typeof was !== 'string' || typeof is !== 'string' || was === is) return ''
  return t('history.net', { was: formatMoney(was, currency), is: formatMoney(is, currency) })
}

const isSide = (value: unknown): value is Side => typeof value === 'object' && value !== null

/** Of each item that an edit touched the entry has the fields that differ, under `item 12`; of each discount the whole. */
const tallyOfEdit = (before: Side, after: Side): Tally => {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const items = names.filter((name) => name.startsWith('item ')).map((name) => [before[name], after[name]] as const)
  const count = (matches: (was: unknown, is: unknown) => boolean): number =>
    items.filter(([was, is]) => matches(was, is)).length
  const priceOf = (side: unknown): number => Number(isSide(side) ? side['price'] : undefined)
  const isChanged = (was: unknown, is: unknown): boolean => isSide(was) && isSide(is)
  return {
    lower: count((was, is) => isChanged(was, is) && priceOf(is) < priceOf(was)),
    higher: count((was, is) => isChanged(was, is) && priceOf(is) > priceOf(was)),
    quantities: count((was, is) => isChanged(was, is) && isSide(is) && 'divisions' in is),
    added: count((was, is) => !isSide(was) && isSide(is)),
    removed: count((was, is) => isSide(was) && !isSide(is)),
    discounts: names.filter((name) => name.startsWith('discount ') && !(isSide(before[name]) && isSide(after[name])))
      .length,
  }
}
