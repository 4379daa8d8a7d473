import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { formatMoney } from '#ui/texts/format.ts'
import { compare } from '../parts/money.ts'
import { revisionsOf, type Detail } from './queries.ts'
import classes from './quotations.module.css'

type Discount = Detail['discounts'][number]

/** A discount in words: how much of what. */
export const DiscountWords = ({ discount, currency }: { readonly discount: Discount; readonly currency: string }) => {
  const { t } = useTranslation('shop')
  const { discount_type: type, value } = discount
  const share = type === 'percentage' ? t('discount.percent', { value: Number(value) }) : formatMoney(value, currency)
  return t(discount.item === null ? 'discount.all' : 'discount.line', { share })
}

interface TotalsProps {
  readonly quotation: Detail
  /** The revision that it is compared with. */
  readonly from: number
}

/** What it comes to: the sum, what is taken off it, and what is left. */
export const Totals = ({ quotation, from }: TotalsProps) => {
  const { t } = useTranslation('shop')
  const { id, currency, total_amount: total, net_amount: net, discounts, revision } = quotation
  const { data } = useQuery({ ...revisionsOf(id), enabled: from !== revision })
  const before = data?.results.find((one) => one.revision === from)?.net_amount
  return (
    <dl className={classes['totals']}>
      {discounts.length > 0 && (
        <div className="pair">
          <dt className="muted">{t('sum')}</dt>
          <dd>{formatMoney(total, currency)}</dd>
        </div>
      )}
      {discounts.map((discount) => (
        <div key={discount.id} className="pair">
          <dt className="muted">
            <DiscountWords discount={discount} currency={currency} />
          </dt>
          <dd>−{formatMoney(discount.amount, currency)}</dd>
        </div>
      ))}
      <div className={`pair ${classes['total']}`}>
        <dt>{t('total')}</dt>
        <dd>
          {before !== undefined && compare(before, net) !== 0 && (
            <s className={`was ${classes['before']}`}>
              <span className="visually-hidden">{t('changed.before')} </span>
              {formatMoney(before, currency)}
            </s>
          )}{' '}
          {formatMoney(net, currency)}
        </dd>
      </div>
    </dl>
  )
}
