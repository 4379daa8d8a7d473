import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from '#ui/link.tsx'
import { formatNumber } from '#ui/texts/format.ts'
import { basket, countsOf, useBuyer } from '../queries.ts'
import classes from './frame.module.css'

/** The pages of the shop. A count stands where there is something of the buyer, or where they have to act. */
export const Menu = () => {
  const { t } = useTranslation('shop')
  const { isMain } = useBuyer()
  const inBasket = useQuery(basket).data?.basket_items.length ?? 0
  const toDecide = useQuery(countsOf()).data?.sending_approval_request ?? 0
  const toLetPass = useQuery({ ...countsOf('approvals'), enabled: isMain }).data?.request_approval ?? 0
  return (
    <nav aria-label={t('menu')} className={classes['menu']}>
      <Entry to="/shop" name={t('products.title')} isExact />
      <Entry to="/shop/basket" name={t('basket.title')} count={inBasket} />
      <Entry to="/shop/quotations" name={t('quotations.menu')} count={toDecide} isUrgent />
      {isMain && <Entry to="/shop/approvals" name={t('approvals.menu')} count={toLetPass} isUrgent />}
      <Entry to="/shop/orders" name={t('orders.title')} />
    </nav>
  )
}

interface EntryProps {
  readonly to: string
  readonly name: string
  readonly count?: number
  /** Whether what is counted waits for the buyer. */
  readonly isUrgent?: boolean
  readonly isExact?: boolean
}

const Entry = ({ to, name, count = 0, isUrgent, isExact = false }: EntryProps) => (
  <Link to={to} {...{ activeOptions: { exact: isExact, includeSearch: false } }}>
    <span>{name}</span>
    {count > 0 && (
      <span className={classes['count']} data-urgent={isUrgent || undefined}>
        {formatNumber(count)}
      </span>
    )}
  </Link>
)
