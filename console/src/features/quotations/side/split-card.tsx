import { useTranslation } from 'react-i18next'
import { formatNumber } from '#ui/texts/format.ts'
import { useDraftHere } from '../draft/use-draft.ts'
import { SplitBars } from './split-bars.tsx'
import { useSplit } from './use-split.ts'

/** The orders that it becomes, as the lines are now. */
export const SplitCard = () => {
  const { t } = useTranslation('quotations')
  const { quotation } = useDraftHere()
  const orders = useSplit()
  const isOver = ['approved', 'rejected', 'cancelled'].includes(quotation.status)
  if (isOver) return null
  return (
    <section className="card">
      <div className="head">
        <h2>{t('split.title', { count: orders.length })}</h2>
        <span className="small muted">{t('split.batch', { size: formatNumber(quotation.batch_size) })}</span>
      </div>
      <div className="body">
        <SplitBars orders={orders} />
      </div>
    </section>
  )
}
