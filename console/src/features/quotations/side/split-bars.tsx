import { useTranslation } from 'react-i18next'
import type { PlannedOrder } from '#domains/b2b/money/index.ts'
import { formatNumber } from '#ui/texts/format.ts'
import { useDivisionNames } from '../division-names.ts'
import { useDraftHere } from '../draft/use-draft.ts'
import { amountOf } from '../words.ts'
import classes from '../workspace.module.css'

/** Bars of a division beyond them are told by their number. */
const mostBars = 6
const mostDivisions = 12

/** Orders as bars: a row for each division, a bar for each order, as long as it has pieces. */
export const SplitBars = ({ orders }: { readonly orders: readonly PlannedOrder[] }) => {
  const { t } = useTranslation('quotations')
  const nameOf = useDivisionNames()
  const { base } = useDraftHere()
  const divisions = [...Map.groupBy(orders, ({ divisionId }) => divisionId)].map(([id, own]) => ({
    id,
    own,
    pieces: own.reduce((sum, { quantity }) => sum + quantity, 0),
    amount: own.reduce((sum, { amount }) => sum + amount, 0n),
  }))
  const most = Math.max(1, ...divisions.map(({ pieces }) => pieces))
  if (divisions.length === 0) return <p className="muted">{t('split.none')}</p>
  return (
    <ul className={classes['split']}>
      {divisions.slice(0, mostDivisions).map(({ id, own, pieces, amount }) => (
        <li key={id}>
          <div className="flex between small">
            <span className="cut">{nameOf(id)}</span>
            <span className="muted" style={{ whiteSpace: 'nowrap' }} title={t('pieces', { count: pieces })}>
              {formatNumber(pieces)} · {amountOf(amount, base.terms)}
            </span>
          </div>
          <div className={classes['bars']} style={{ width: `${Math.max(12, (pieces / most) * 100)}%` }}>
            {own.slice(0, mostBars).map(({ batchNo, quantity }) => (
              <span key={batchNo} style={{ flexGrow: quantity }}>
                {formatNumber(quantity)}
              </span>
            ))}
            {own.length > mostBars && <span data-more>+{formatNumber(own.length - mostBars)}</span>}
          </div>
        </li>
      ))}
      {divisions.length > mostDivisions && (
        <li className="small muted">{t('split.more', { count: divisions.length - mostDivisions })}</li>
      )}
    </ul>
  )
}
