import { useTranslation } from 'react-i18next'
import { formatMoney, formatNumber } from '#ui/texts/format.ts'
import { Link } from '#ui/link.tsx'
import { Tag } from '../parts/states.tsx'
import type { Detail } from './queries.ts'
import classes from './quotations.module.css'

const outcomes = { pending: 'wait', created: 'ok', failed: 'wait' } as const

/** What it became, once it is approved. */
export const QuotationOrders = ({ quotation: { orders, currency } }: { readonly quotation: Detail }) => {
  const { t } = useTranslation('shop')
  if (orders.length === 0) return null
  return (
    <section className={classes['section']} aria-labelledby="orders-title">
      <div className="flex between wrap">
        <h2 id="orders-title">{t('orders.of_it', { count: orders.length })}</h2>
        <Link to="/shop/orders" className={classes['jump']} data-screen-only>
          {t('orders.all')}
        </Link>
      </div>
      <ul className="rows">
        {orders.map(({ id, number, division, quantity, amount, status }) => (
          <li key={id} className={`pair ${classes['line']}`}>
            <span className="strong">{division.name}</span>
            <span>{formatMoney(amount, currency)}</span>
            <span className="muted">
              {number} · {t('pieces', { count: quantity, number: formatNumber(quantity) })}
            </span>
            <span>
              <Tag outcome={outcomes[status]}>{t(`orders.status.${status}`)}</Tag>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
