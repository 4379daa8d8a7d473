import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Action } from '#ui/action.tsx'
import { formatMoney, formatNumber, formatPercent } from '#ui/texts/format.ts'
import { divisions, type Quotation } from './quotation.ts'
import classes from './quotations.module.css'

type Item = Quotation['items'][number]
type Discount = Quotation['discounts'][number]

interface QuotationProps {
  readonly quotation: Quotation
}

const firstItems = 50

/** What is offered: products with their pieces, prices and discounts, and what they come to. */
export const QuotationItems = ({ quotation }: QuotationProps) => {
  const { t } = useTranslation('quotations')
  const [isWhole, setWhole] = useState(false)
  const { items } = quotation
  return (
    <section className="stack">
      <h3>{t('items', { count: items.length })}</h3>
      <table className={`table ${classes['items']}`}>
        <thead>
          <tr>
            <th scope="col">{t('field.product')}</th>
            <th scope="col" className="num">
              {t('field.quantity')}
            </th>
            <th scope="col" className="num">
              {t('field.price')}
            </th>
            <th scope="col" className="num">
              {t('field.net_amount')}
            </th>
          </tr>
        </thead>
        <tbody>
          {(isWhole ? items : items.slice(0, firstItems)).map((item) => (
            <ItemRow key={item.id} item={item} quotation={quotation} />
          ))}
        </tbody>
      </table>
      {!isWhole && items.length > firstItems && (
        <div>
          <Action onClick={() => setWhole(true)}>{t('all_items', { count: items.length })}</Action>
        </div>
      )}
      <Totals quotation={quotation} />
    </section>
  )
}

const ItemRow = ({ item, quotation: { currency, discounts } }: QuotationProps & { readonly item: Item }) => {
  const { t } = useTranslation('quotations')
  const own = discounts.filter((discount) => discount.item === item.id)
  return (
    <tr>
      <td>
        {item.product} <code>{item.sku}</code>
        <DivisionNames item={item} />
      </td>
      <td className="num">{formatNumber(item.quantity)}</td>
      <td className="num">
        {formatMoney(item.price, currency)}
        {item.price !== item.list_price && (
          <div className="small muted">{t('list_price', { price: formatMoney(item.list_price, currency) })}</div>
        )}
      </td>
      <td className="num">
        {formatMoney(item.net_amount, currency)}
        {own.map((discount) => (
          <div key={discount.id} className="small muted">
            <DiscountText discount={discount} currency={currency} />
          </div>
        ))}
      </td>
    </tr>
  )
}

/** For whom the pieces are. */
const DivisionNames = ({ item }: { readonly item: Item }) => {
  const { data } = useQuery({ ...divisions, staleTime: 60_000 })
  const nameOf = (id: number): string => data?.rows.find((one) => one.id === id)?.name ?? `#${id}`
  const words = item.divisions.map(({ id, quantity }) => `${nameOf(id)}\u00A0${formatNumber(quantity)}`)
  return <div className="small muted">{words.join(', ')}</div>
}

const DiscountText = ({ discount, currency }: { readonly discount: Discount; readonly currency: string }) => {
  const { t } = useTranslation('quotations')
  const amount = formatMoney(`-${discount.amount}`, currency)
  if (discount.discount_type === 'fixed') return t('discount.fixed', { amount })
  return t('discount.percentage', { part: formatPercent(Number(discount.value) / 100), amount })
}

const Totals = ({ quotation: { total_amount: total, net_amount: net, currency, discounts } }: QuotationProps) => {
  const { t } = useTranslation('quotations')
  const ofAll = discounts.filter(({ item }) => item === null)
  return (
    <dl className="facts">
      <dt>{t('field.total_amount')}</dt>
      <dd className="num">{formatMoney(total, currency)}</dd>
      {ofAll.map((discount) => (
        <div key={discount.id} style={{ display: 'contents' }}>
          <dt>{t('discount.of_all')}</dt>
          <dd className="num">
            <DiscountText discount={discount} currency={currency} />
          </dd>
        </div>
      ))}
      <dt>{t('field.net_amount')}</dt>
      <dd className="num strong">{formatMoney(net, currency)}</dd>
    </dl>
  )
}
