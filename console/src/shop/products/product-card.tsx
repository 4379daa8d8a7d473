import { useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Schema } from '#api/types.ts'
import { Link } from '#ui/link.tsx'
import { formatMoney } from '#ui/texts/format.ts'
import { useQuantity } from '../basket/use-quantity.ts'
import { Button } from '../parts/button.tsx'
import { compare } from '../parts/money.ts'
import { Stepper } from '../parts/stepper.tsx'
import { Refused } from '../parts/states.tsx'
import { basket, useBuyer } from '../queries.ts'
import { ForSeveral } from './for-several.tsx'
import classes from './products.module.css'

interface ProductCardProps {
  readonly product: Schema<'MyProduct'>
  readonly division: Schema<'Division'> | undefined
}

/** A product, what it costs this buyer, and how many of it are in the basket. */
export const ProductCard = ({ product, division }: ProductCardProps) => {
  const { t } = useTranslation('shop')
  const { divisions } = useBuyer()
  const [isSharing, setIsSharing] = useState(false)
  const { name, sku, category, image } = product
  return (
    <li className={classes['card']}>
      {image !== '' && <img src={image} alt="" loading="lazy" className={classes['image']} />}
      <div className={classes['what']}>
        <h2>{name}</h2>
        <p className="small muted">
          {sku}
          {category !== '' && (
            <>
              {' · '}
              <Link to={`/shop?${new URLSearchParams({ category })}`}>{category}</Link>
            </>
          )}
        </p>
        {divisions.length > 1 && (
          <Button kind="plain" aria-label={t('products.several_of', { name })} onClick={() => setIsSharing(true)}>
            {t('products.several')}
          </Button>
        )}
      </div>
      <Price product={product} />
      <div className={classes['add']}>
        {division !== undefined && (
          <>
            <Quantity key={division.id} product={product} division={division} />
            <ForOthers product={product} division={division} />
          </>
        )}
      </div>
      {isSharing && <ForSeveral product={product} onClose={() => setIsSharing(false)} />}
    </li>
  )
}

const Price = ({
  product: { price, list_price: listPrice, price_list: list, currency },
}: Pick<ProductCardProps, 'product'>) => (
  <p className={classes['price']}>
    <b>{formatMoney(price, currency)}</b>{' '}
    {compare(price, listPrice) < 0 && <s className="was small">{formatMoney(listPrice, currency)}</s>}
    {list !== null && <span className="small muted">{list.name}</span>}
  </p>
)

/** How many pieces of it are in the basket for other divisions. */
const ForOthers = ({ product: { product_remote_id: remoteId }, division }: QuantityProps) => {
  const { t } = useTranslation('shop')
  const held = useQuery(basket).data?.basket_items.find(({ product_remote_id: id }) => id === remoteId)
  const others = held?.divisions.filter(({ id }) => id !== division.id) ?? []
  const count = others.reduce((sum, { quantity }) => sum + quantity, 0)
  return count > 0 && <p className="small muted">{t('products.others', { count })}</p>
}

interface QuantityProps {
  readonly product: Schema<'MyProduct'>
  readonly division: Schema<'Division'>
}

const Quantity = ({ product: { product_remote_id: remoteId, name }, division }: QuantityProps) => {
  const { t } = useTranslation('shop')
  const { quantity, set, error } = useQuantity({ product: remoteId, division: division.id })
  const place = useRef<HTMLDivElement>(null)
  const isPressed = useRef(false)
  const change = (next: number): void => {
    isPressed.current = true
    set(next)
  }
  // The button that was pressed may be gone: the focus goes to what has come for it.
  const isNone = quantity === 0
  useLayoutEffect(() => {
    if (isPressed.current) [...(place.current?.querySelectorAll('button') ?? [])].at(-1)?.focus()
  }, [isNone])
  return (
    <div ref={place}>
      {isNone ? (
        <Button aria-label={t('products.add_what', { name })} onClick={() => change(1)}>
          {t('products.add')}
        </Button>
      ) : (
        <Stepper quantity={quantity} label={t('for_division', { name, division: division.name })} onChange={change} />
      )}
      <Refused error={error} />
    </div>
  )
}
