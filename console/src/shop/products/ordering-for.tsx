import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Schema } from '#api/types.ts'
import { Choice } from '../parts/field.tsx'
import { useBuyer } from '../queries.ts'

const key = 'waybill.shop.division'

interface Ordering {
  /** Who the next pieces are for. */
  readonly division: Schema<'Division'> | undefined
  readonly choose: (id: number) => void
}

/** Who somebody orders for: themselves, or one of the branches, which this browser remembers. */
export const useOrderingFor = (): Ordering => {
  const { divisions, division: own } = useBuyer()
  const [chosen, setChosen] = useState(() => Number(localStorage.getItem(key)))
  return {
    division: divisions.find(({ id }) => id === chosen) ?? own ?? divisions[0],
    choose: (id) => {
      localStorage.setItem(key, String(id))
      setChosen(id)
    },
  }
}

/** Which division the buttons beside the products are about; nothing where there is one alone. */
export const OrderingFor = ({ division, choose }: Ordering) => {
  const { t } = useTranslation('shop')
  const { divisions } = useBuyer()
  if (divisions.length < 2) return null
  return (
    <Choice
      label={t('products.for')}
      value={division?.id}
      options={divisions.map(({ id, name }) => [String(id), name])}
      onChoose={(value) => choose(Number(value))}
    />
  )
}
