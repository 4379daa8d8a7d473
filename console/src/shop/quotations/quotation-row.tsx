import { useTranslation } from 'react-i18next'
import { useMe } from '#api/session.ts'
import { Link } from '#ui/link.tsx'
import { formatMoney } from '#ui/texts/format.ts'
import { dayOf } from '../parts/time-words.tsx'
import type { Quotation } from './queries.ts'
import { partOf, turnOf } from './turn.ts'
import { useTurnWords } from './turn-words.ts'
import classes from './quotations.module.css'

interface QuotationRowProps {
  readonly quotation: Quotation
  /** Whether it says who asked. */
  readonly isOfOthers: boolean
}

/** A quotation in a list: what it is called, whose turn it is, and what it comes to. */
export const QuotationRow = ({ quotation, isOfOthers }: QuotationRowProps) => {
  const { t } = useTranslation('shop')
  const me = useMe()
  const part = partOf(quotation, me)
  const words = useTurnWords(quotation, part)
  const { id, name, number, user, net_amount: amount, currency, created_at: at, status } = quotation
  const facts = [number, ...(isOfOthers ? [user.division.name] : []), t('asked_on', { day: dayOf(at) })]
  return (
    <li>
      <Link to={`/shop/quotations/${id}`} className={classes['row']}>
        <span className={classes['name']}>{name}</span>
        <span className="strong">{formatMoney(amount, currency)}</span>
        <span className={classes['words']} data-actor={turnOf(status, part).actor} data-status={status}>
          {words}
        </span>
        <span className={`small muted ${classes['whole']}`}>{facts.join(' · ')}</span>
      </Link>
    </li>
  )
}
