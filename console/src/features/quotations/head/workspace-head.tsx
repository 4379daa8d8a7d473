import { useTranslation } from 'react-i18next'
import { Ident } from '#ui/copy.tsx'
import { useGo } from '#ui/go.ts'
import { Link } from '#ui/link.tsx'
import { PageTitle } from '#ui/page-title.tsx'
import { useShortcut } from '#ui/shortcuts.ts'
import { Time } from '#ui/time.tsx'
import { useDraftHere } from '../draft/use-draft.ts'
import { QuotationActions } from '../quotation-actions.tsx'
import { sentenceOf } from '../quotation.ts'
import { nameOf } from '../words.ts'
import { useNeighbours } from './neighbours.ts'
import { Name } from './rename.tsx'
import type { Viewer } from './viewers.ts'
import classes from '../workspace.module.css'

/** Whose turn it is, which quotation of whom it is, and what can be done with it. */
export const WorkspaceHead = ({ viewers }: { readonly viewers: readonly Viewer[] }) => {
  const { t } = useTranslation('quotations')
  const { quotation, isChanged } = useDraftHere()
  const { id, number, user, revision, created_at: created } = quotation
  return (
    <header>
      <div className={classes['head']}>
        <div className="grow">
          <PageTitle>{sentenceOf(quotation, t)}</PageTitle>
        </div>
        <div className={`flex wrap ${classes['actions']}`}>
          <QuotationActions quotation={quotation} isChanged={isChanged} />
        </div>
      </div>
      <p className={`muted ${classes['about']}`}>
        <Ident id={number} keep={12} />
        <Name quotation={quotation} />
        <Link to={`/quotations?division=${user.division.id}`}>{user.division.name}</Link>
        <span>
          {t('head.asked', { who: nameOf(user) })} <Time at={created} />
        </span>
        <span>{t('head.revision', { count: revision })}</span>
        <Walk id={id} />
        <span role="status" className={classes['looking']}>
          {viewers.length > 0 && t('head.looking', { count: viewers.length, who: viewers.map(nameOf).join(', ') })}
        </span>
      </p>
    </header>
  )
}

/** The quotation before and after it in the list that one came from. */
const Walk = ({ id }: { readonly id: number }) => {
  const { t } = useTranslation('quotations')
  const go = useGo()
  const { place, total, previous, next } = useNeighbours(id)
  useShortcut('k', 'quotations:head.previous', previous === undefined ? undefined : () => go.push(previous))
  useShortcut('j', 'quotations:head.next', next === undefined ? undefined : () => go.push(next))
  if (place === undefined) return null
  return (
    <span className={classes['walk']}>
      {previous === undefined ? (
        <span aria-hidden="true">‹</span>
      ) : (
        <Link to={previous} aria-label={t('head.previous')}>
          ‹
        </Link>
      )}
      {t('head.place', { place, count: total })}
      {next === undefined ? (
        <span aria-hidden="true">›</span>
      ) : (
        <Link to={next} aria-label={t('head.next')}>
          ›
        </Link>
      )}
    </span>
  )
}
