import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '#ui/texts/format.ts'
import { Button } from '../parts/button.tsx'
import { Notice } from '../parts/states.tsx'
import { useQuantity } from './use-quantity.ts'

/** What was taken out of the basket. */
export interface Removal {
  readonly product: number | string
  readonly division: number
  readonly name: string
  readonly quantity: number
}

/** What was removed last, as long as the page is open. */
export const useRemoval = () => {
  const [removal, setRemoval] = useState<Removal>()
  return { removal, remember: setRemoval, forget: () => setRemoval(undefined) }
}

/** Says what was removed, and puts it back. */
export const Removed = ({ removal, forget }: ReturnType<typeof useRemoval>) =>
  removal === undefined ? null : (
    <Undo key={`${removal.product} ${removal.division}`} removal={removal} onDone={forget} />
  )

const Undo = ({ removal, onDone }: { readonly removal: Removal; readonly onDone: () => void }) => {
  const { t } = useTranslation('shop')
  const { setNow } = useQuantity(removal)
  const { name, quantity } = removal
  return (
    <Notice outcome="idle" title={t('basket.removed', { name, number: formatNumber(quantity) })}>
      <p>
        <Button
          kind="plain"
          onClick={() => {
            setNow(quantity)
            onDone()
          }}
        >
          {t('undo')}
        </Button>
      </p>
    </Notice>
  )
}
