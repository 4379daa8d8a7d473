import { useTranslation } from 'react-i18next'
import { Progress } from '#ui/progress.tsx'
import { formatAmount } from '#ui/texts/format.ts'
import type { Division } from './division-list.ts'
import classes from './divisions.module.css'

/** Below this part of a limit little is left. */
const littleLeft = 0.1

/** What is left this month of the limit of a division, as a bar and as words; of a limit above it as words alone. */
export const Limit = ({ division }: { readonly division: Pick<Division, 'monthly_order_limit' | 'remaining'> }) => {
  const { t } = useTranslation('divisions')
  const { monthly_order_limit: limitText, remaining } = division
  const limit = Number(limitText)
  if (remaining === null) return <span className="muted">{t('limit.none')}</span>
  const left = formatAmount(remaining)
  if (limit === 0) return <span className="muted">{t('limit.above', { left })}</span>
  const used = limit - Number(remaining)
  return (
    <span className={classes['limit']}>
      <Progress label={t('limit.used')} value={used} max={limit} outcome={outcomeOf(Number(remaining) / limit)} />
      <span>{t('limit.left', { left, limit: formatAmount(limitText) })}</span>
    </span>
  )
}

const outcomeOf = (share: number) => {
  if (share <= 0) return 'bad'
  return share < littleLeft ? 'wait' : 'ok'
}
