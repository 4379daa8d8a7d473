import { useTranslation } from 'react-i18next'
import type { Schema } from '#api/types.ts'
import { formatMoney } from '#ui/texts/format.ts'
import { compare, distance, minus, shareOf } from '../parts/money.ts'
import { useBuyer } from '../queries.ts'
import parts from '../parts/parts.module.css'

/** What may still be asked for this month, and what this basket takes of it, in a bar and in words. */
export const Limit = ({ held: { remaining, total_amount: total, currency } }: { readonly held: Schema<'Basket'> }) => {
  const { t } = useTranslation('shop')
  const { division } = useBuyer()
  if (remaining === null || currency === null) return null
  // Where a limit above the own one leaves least, the whole of that is not known.
  const own = division?.monthly_order_limit ?? '0'
  const whole = compare(own, remaining) > 0 ? own : remaining
  const isOver = compare(total, remaining) > 0
  const ofBasket = Math.min(shareOf(total, whole), shareOf(remaining, whole))
  const asked = minus(whole, remaining)
  const money = (amount: string): string => formatMoney(amount, currency)
  return (
    <div className="stack" style={{ gap: 6 }}>
      <div className={parts['bar']} data-over={isOver || undefined} aria-hidden="true">
        <span style={{ width: `${shareOf(asked, whole) * 100}%` }} />
        <span data-of="basket" style={{ width: `${(isOver ? Math.max(ofBasket, 0.02) : ofBasket) * 100}%` }} />
      </div>
      <p className={isOver ? 'small text-bad' : 'small muted'}>
        {isOver
          ? t('limit.over', { over: money(distance(total, remaining)), left: money(remaining) })
          : t('limit.left', { left: money(minus(remaining, total)), whole: money(whole) })}
      </p>
    </div>
  )
}
