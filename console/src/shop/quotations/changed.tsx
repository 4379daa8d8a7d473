import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { formatMoney, formatNumber } from '#ui/texts/format.ts'
import { times } from '../parts/money.ts'
import { Loaded, Tag } from '../parts/states.tsx'
import { changesOf, discountChangesOf, type Change } from './changes.ts'
import { differenceOf, type Detail, type Difference } from './queries.ts'
import { DiscountWords } from './totals.tsx'
import classes from './quotations.module.css'

interface ChangedProps {
  readonly quotation: Detail
  /** The revision that it is compared with. */
  readonly from: number
  /** Whether the reader has not seen the new terms before. */
  readonly isNew: boolean
}

/** What changed, with the old price beside the new one. */
export const Changed = ({ quotation, from, isNew }: ChangedProps) => {
  const { t } = useTranslation('shop')
  const { id, revision, currency } = quotation
  const query = useQuery(differenceOf(id, from, revision))
  // Its place stays, to tell that the terms have been on the screen.
  if (query.data !== undefined && isNothing(query.data)) return <section id="changed" className={classes['nothing']} />
  return (
    <section id="changed" tabIndex={-1} aria-labelledby="changed-title" className={classes['section']}>
      <div className="flex between wrap">
        <h2 id="changed-title">{t(isNew ? 'changed.title' : 'changed.from_asked')}</h2>
        <a href="#lines" className={classes['jump']} data-screen-only>
          {t('lines.all', { count: quotation.items.length, number: formatNumber(quotation.items.length) })}
        </a>
      </div>
      <Loaded query={query} rows={2}>
        {(difference) => <Changes difference={difference} currency={currency} />}
      </Loaded>
    </section>
  )
}

const isNothing = (difference: Difference): boolean =>
  changesOf(difference).length + discountChangesOf(difference).length === 0

const Changes = ({ difference, currency }: { readonly difference: Difference; readonly currency: string }) => {
  return (
    <ul className="rows">
      {changesOf(difference).map((change) => (
        <ChangedLine key={`${change.kind} ${change.id}`} change={change} currency={currency} />
      ))}
      {discountChangesOf(difference).map(({ kind, discount }) => (
        <li key={`${kind} ${discount.id}`} className={`pair ${classes['line']}`}>
          <span className="strong">
            <DiscountWords discount={discount} currency={currency} /> <KindTag kind={kind} />
          </span>
          <span>{kind === 'new' ? `−${formatMoney(discount.amount, currency)}` : ''}</span>
        </li>
      ))}
    </ul>
  )
}

const KindTag = ({ kind }: Pick<Change, 'kind'>) => {
  const { t } = useTranslation('shop')
  return kind === 'changed' ? null : <Tag outcome={kind === 'new' ? 'ok' : 'idle'}>{t(`changed.${kind}`)}</Tag>
}

interface ChangedLineProps {
  readonly change: Change
  readonly currency: string
}

const ChangedLine = ({ change, currency }: ChangedLineProps) => {
  const { item, kind } = change
  return (
    <li className={`pair ${classes['line']}`}>
      <span className="strong">
        {kind === 'gone' ? <s>{item.product}</s> : item.product} <KindTag kind={kind} />
      </span>
      <ChangedPrice change={change} currency={currency} />
      <ChangedPieces change={change} />
      <span className="muted">{kind === 'gone' ? '' : formatMoney(times(item.price, item.quantity), currency)}</span>
    </li>
  )
}

const looks = { lower: 'better', higher: 'worse', same: '' } as const

const ChangedPrice = ({ change, currency }: ChangedLineProps) => {
  const { t } = useTranslation('shop')
  const price = formatMoney(change.item.price, currency)
  if (change.kind === 'gone') return <s className="was">{price}</s>
  if (change.kind !== 'changed' || change.price === 'same') return <span>{price}</span>
  return (
    <span>
      <s className="was">
        <span className="visually-hidden">{t('changed.before')} </span>
        {formatMoney(change.before.price, currency)}
      </s>{' '}
      <span className={looks[change.price]}>{price}</span>
    </span>
  )
}

const ChangedPieces = ({ change }: Pick<ChangedLineProps, 'change'>) => {
  const { t } = useTranslation('shop')
  const { quantity } = change.item
  const pieces = t('pieces', { count: quantity, number: formatNumber(quantity) })
  if (change.kind !== 'changed' || !change.isQuantityOther) return <span className="muted">{pieces}</span>
  const before = change.before.quantity
  if (before === quantity)
    return (
      <span className="muted">
        {pieces} · {t('changed.places')}
      </span>
    )
  return (
    <span>
      <s className="was">
        <span className="visually-hidden">{t('changed.before')} </span>
        {formatNumber(before)}
      </s>{' '}
      <span aria-hidden="true">→</span> <span className="strong">{pieces}</span>
    </span>
  )
}
