import { useTranslation } from 'react-i18next'
import { formatMoney, formatNumber } from '#ui/texts/format.ts'
import { Button } from '../parts/button.tsx'
import { compare } from '../parts/money.ts'
import { Refused, Tag } from '../parts/states.tsx'
import { Stepper } from '../parts/stepper.tsx'
import type { BasketGroup as Group, BasketRow } from './groups.ts'
import type { Removal } from './removed.tsx'
import { useQuantity } from './use-quantity.ts'
import classes from './basket.module.css'

interface BasketGroupProps {
  readonly group: Group
  readonly currency: string
  /** Whether the buyer orders for this division alone, so that its name says nothing. */
  readonly isAlone: boolean
  readonly onRemoved: (removal: Removal) => void
}

/** What a division gets. */
export const BasketGroup = ({ group, currency, isAlone, onRemoved }: BasketGroupProps) => {
  const { t } = useTranslation('shop')
  return (
    <section aria-label={group.name}>
      {!isAlone && (
        <div className={`pair ${classes['group']}`}>
          <h2>{group.name}</h2>
          <span className="muted">{formatMoney(group.amount, currency)}</span>
        </div>
      )}
      <ul className="rows" aria-label={t('basket.lines')}>
        {group.rows.map((row) => (
          <Row key={row.item.product_remote_id} row={row} group={group} currency={currency} onRemoved={onRemoved} />
        ))}
      </ul>
    </section>
  )
}

interface RowProps extends Omit<BasketGroupProps, 'isAlone'> {
  readonly row: BasketRow
}

const Row = ({ row: { item, quantity: kept, amount }, group, currency, onRemoved }: RowProps) => {
  const { t } = useTranslation('shop')
  const place = { product: item.product_remote_id, division: group.id }
  const { quantity, set, setNow, error } = useQuantity(place)
  const { name, is_active: isActive } = item.product
  const remove = (): void => {
    onRemoved({ ...place, name, quantity: kept })
    setNow(0)
  }
  return (
    <li className={classes['row']}>
      <div className="pair">
        <span className="strong">
          {name} {!isActive && <Tag outcome="bad">{t('basket.gone')}</Tag>}
        </span>
        <span className="strong">{formatMoney(amount, currency)}</span>
        <span className="muted">
          {compare(item.price, item.list_price) < 0 && (
            <s className="was small">{formatMoney(item.list_price, currency)}</s>
          )}{' '}
          {t('basket.each', { price: formatMoney(item.price, currency) })}
          {item.price_list !== null && ` · ${item.price_list.name}`}
        </span>
        <span className="muted only-print">{t('pieces', { count: kept, number: formatNumber(kept) })}</span>
      </div>
      <div className="flex between" data-screen-only>
        <Stepper
          quantity={quantity}
          label={t('for_division', { name, division: group.name })}
          onChange={(next) => (next === 0 ? remove() : set(next))}
        />
        <Button kind="plain" aria-label={t('basket.remove_what', { name })} onClick={remove}>
          {t('basket.remove')}
        </Button>
      </div>
      <Refused error={error} />
    </li>
  )
}
