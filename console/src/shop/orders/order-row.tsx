import { useTranslation } from 'react-i18next'
import type { RowOf } from '#api/types.ts'
import { Link } from '#ui/link.tsx'
import { formatMoney, formatNumber } from '#ui/texts/format.ts'
import { Tag, type Outcome } from '../parts/states.tsx'
import { dayOf } from '../parts/time-words.tsx'
import { Packages } from './packages.tsx'
import classes from './orders.module.css'

type Order = RowOf<'/api/v1/my-orders'>

/** That it failed is for the seller to mend: they are told, and it is tried again. */
const outcomes = { pending: 'idle', created: 'ok', failed: 'wait' } as const satisfies Record<Order['status'], Outcome>

/** An order: what it is of, how it stands, and its packages. */
export const OrderRow = ({ order }: { readonly order: Order }) => {
  const { t } = useTranslation('shop')
  const { quotation, division, number, quantity, amount, currency, status, packages, created_at: at } = order
  const { remote_number: remoteNumber } = order
  const facts = [dayOf(at), division.name, t('pieces', { count: quantity, number: formatNumber(quantity) })]
  return (
    <li className={classes['order']}>
      <div className="pair">
        <Link to={`/shop/quotations/${quotation.id}`} className={classes['name']}>
          {quotation.name}
        </Link>
        <span className="strong">{formatMoney(amount, currency)}</span>
        <span className="muted">{facts.join(' · ')}</span>
        <span>
          <Tag outcome={outcomes[status]}>{t(`orders.status.${status}`)}</Tag>
        </span>
        <span className="small muted">{remoteNumber === null ? number : `${number} · ${remoteNumber}`}</span>
      </div>
      {status === 'created' && <Packages packages={packages} />}
    </li>
  )
}
