import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { formatMoney, formatNumber } from '#ui/texts/format.ts'
import { Button } from '../parts/button.tsx'
import { compare } from '../parts/money.ts'
import { useBuyer } from '../queries.ts'
import type { Detail } from './queries.ts'
import { DiscountWords } from './totals.tsx'
import classes from './quotations.module.css'

/** How many lines are shown before somebody asks for all. */
const fewLines = 50

/** Everything that is in it. */
export const Lines = ({ quotation }: { readonly quotation: Detail }) => {
  const { t } = useTranslation('shop')
  const [isWhole, setIsWhole] = useState(false)
  useEffect(() => {
    // On paper nobody can ask for the rest.
    const show = (): void => flushSync(() => setIsWhole(true))
    window.addEventListener('beforeprint', show)
    return () => window.removeEventListener('beforeprint', show)
  }, [])
  const nameOf = useDivisionName()
  const isShared = useBuyer().divisions.length > 1
  const { items } = quotation
  const [first, ...others] = new Set(items.flatMap(({ divisions }) => divisions.map(({ id }) => id)))
  const only = first === undefined || others.length > 0 ? undefined : nameOf(first)
  const number = formatNumber(items.length)
  const shown = isWhole ? items : items.slice(0, fewLines)
  return (
    <section id="lines" tabIndex={-1} aria-labelledby="lines-title" className={classes['section']}>
      <h2 id="lines-title">{t('lines.title', { count: items.length, number })}</h2>
      {isShared && only !== undefined && <p className="muted">{t('lines.for', { division: only })}</p>}
      <ul className="rows">
        {shown.map((item) => (
          <Line key={item.id} item={item} quotation={quotation} isShared={isShared && only === undefined} />
        ))}
      </ul>
      {shown.length < items.length && (
        <Button isWide onClick={() => setIsWhole(true)}>
          {t('lines.all', { count: items.length, number })}
        </Button>
      )}
    </section>
  )
}

/** What the divisions are called; one that the reader may not order for has no name here. */
const useDivisionName = () => {
  const { t } = useTranslation('shop')
  const { divisions } = useBuyer()
  return (id: number): string => divisions.find((one) => one.id === id)?.name ?? t('another_division')
}

interface LineProps {
  readonly item: Detail['items'][number]
  readonly quotation: Detail
  /** Whether it says who gets how many. */
  readonly isShared: boolean
}

const Line = ({ item, quotation: { currency, discounts }, isShared }: LineProps) => {
  const { t } = useTranslation('shop')
  const nameOf = useDivisionName()
  const { product, sku, quantity, price, list_price: listPrice, total_amount: amount } = item
  const places = item.divisions.map(({ id, quantity: some }) => `${nameOf(id)} ${formatNumber(some)}`).join(' · ')
  return (
    <li className={`pair ${classes['line']}`}>
      <span className="strong">{product}</span>
      <span>{formatMoney(amount, currency)}</span>
      <span className="muted">
        {t('lines.pieces_at', { count: quantity, number: formatNumber(quantity), price: formatMoney(price, currency) })}{' '}
        {compare(price, listPrice) < 0 && <s className="was">{formatMoney(listPrice, currency)}</s>}
      </span>
      <span className="small muted">{sku}</span>
      {isShared && <span className={`small muted ${classes['whole']}`}>{places}</span>}
      {discounts
        .filter((discount) => discount.item === item.id)
        .map((discount) => (
          <span key={discount.id} className={`small better ${classes['whole']}`}>
            <DiscountWords discount={discount} currency={currency} /> −{formatMoney(discount.amount, currency)}
          </span>
        ))}
    </li>
  )
}
