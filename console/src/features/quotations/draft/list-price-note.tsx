import { useTranslation } from 'react-i18next'
import { isAtListPrice } from './edits.ts'
import { useDraftHere } from './use-draft.ts'

/** Says of a total what may make it another when it is saved. */
export const ListPriceNote = () => {
  const { t } = useTranslation('quotations')
  const { edits, lines } = useDraftHere()
  if (!lines.some((line) => isAtListPrice(edits, line))) return null
  return <p className="small">{t('grid.list_price_why')}</p>
}
