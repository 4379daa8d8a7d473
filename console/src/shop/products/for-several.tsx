import { useTranslation } from 'react-i18next'
import type { Schema } from '#api/types.ts'
import { formatMoney } from '#ui/texts/format.ts'
import { useQuantity } from '../basket/use-quantity.ts'
import { Button } from '../parts/button.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { Refused } from '../parts/states.tsx'
import { Stepper } from '../parts/stepper.tsx'
import { useBuyer } from '../queries.ts'

interface ForSeveralProps {
  readonly product: Schema<'MyProduct'>
  readonly onClose: () => void
}

/** How many pieces each division gets. */
export const ForSeveral = ({ product, onClose }: ForSeveralProps) => {
  const { t } = useTranslation('shop')
  const { divisions } = useBuyer()
  return (
    <Sheet title={product.name} onClose={onClose}>
      <p className="muted">{t('products.each_at', { price: formatMoney(product.price, product.currency) })}</p>
      <ul className="stack">
        {divisions.map((division) => (
          <Row key={division.id} product={product} division={division} />
        ))}
      </ul>
      <Button kind="main" isWide onClick={onClose}>
        {t('done')}
      </Button>
    </Sheet>
  )
}

const Row = ({ product, division }: Pick<ForSeveralProps, 'product'> & { readonly division: Schema<'Division'> }) => {
  const { t } = useTranslation('shop')
  const { quantity, set, error } = useQuantity({ product: product.product_remote_id, division: division.id })
  return (
    <li>
      <div className="flex between">
        <span>{division.name}</span>
        <Stepper
          quantity={quantity}
          label={t('for_division', { name: product.name, division: division.name })}
          onChange={set}
        />
      </div>
      <Refused error={error} />
    </li>
  )
}
