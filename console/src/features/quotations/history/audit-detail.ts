import type { TFunction } from 'i18next'
import type { RowOf } from '#api/types.ts'
import { formatMoney } from '#ui/texts/format.ts'

type Entry = RowOf<'/api/v1/quotations/{id}/audit'>

const amountIn = (side: Entry['before'], currency: string): string | undefined => {
  const value = side?.['net_amount']
  return typeof value === 'string' ? formatMoney(value, currency) : undefined
}

/** What a change did to the sum, where it did. */
export const auditDetail = ({ before, after }: Entry, currency: string, t: TFunction): string | undefined => {
  const [was, is] = [amountIn(before, currency), amountIn(after, currency)]
  return was === undefined || is === undefined || was === is ? undefined : t('history.net', { was, is })
}
