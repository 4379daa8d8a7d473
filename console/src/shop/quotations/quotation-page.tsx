import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '#ui/page-title.tsx'
import { Back } from '../parts/back.tsx'
import { Loaded } from '../parts/states.tsx'
import { dayOf } from '../parts/time-words.tsx'
import { useBuyer } from '../queries.ts'
import { Changed } from './changed.tsx'
import { Comments } from './comments.tsx'
import { BetweenNotice, Decide } from './decide.tsx'
import { Lines } from './lines.tsx'
import { MoreActions } from './more-actions.tsx'
import { ReasonSheet } from './reason-sheet.tsx'
import { QuotationOrders } from './quotation-orders.tsx'
import { quotationOf, type Detail } from './queries.ts'
import { Totals } from './totals.tsx'
import { partOf } from './turn.ts'
import { TurnCard } from './turn-card.tsx'
import { useDecision } from './use-decision.ts'
import { useVisit } from './use-visit.ts'
import classes from './quotations.module.css'

/** A quotation: whose turn it is, what changed, what is in it, and what the reader can do. */
export const QuotationPage = () => {
  const { t } = useTranslation('shop')
  const { id = '' }: { readonly id?: string } = useParams({ strict: false })
  const { from }: { readonly from?: unknown } = useSearch({ strict: false })
  const query = useQuery(quotationOf(Number(id)))
  return (
    <div className={classes['page']}>
      {from === 'approvals' ? (
        <Back to="/shop/approvals">{t('approvals.title')}</Back>
      ) : (
        <Back to="/shop/quotations">{t('quotations.title')}</Back>
      )}
      {query.data === undefined && <PageTitle>{t('quotation')}</PageTitle>}
      <Loaded query={query} rows={6}>
        {(quotation) => <Shown key={quotation.id} quotation={quotation} />}
      </Loaded>
    </div>
  )
}

const Shown = ({ quotation }: { readonly quotation: Detail }) => {
  const { t } = useTranslation('shop')
  const { me, isMain } = useBuyer()
  const part = partOf(quotation, me)
  const { from, isNew } = useVisit(quotation, part)
  const top = useRef<HTMLDivElement>(null)
  const [no, setNo] = useState<'reject' | 'cancel'>()
  // What was pressed may be gone: the focus goes to what has come of it.
  const decision = useDecision(quotation, () => {
    flushSync(() => setNo(undefined))
    top.current?.focus()
  })
  const { number, name, user, created_at: at, revision, status, allowed_actions: allowed } = quotation
  // Somebody else was first, while a reason was being typed.
  const isTaken = no !== undefined && decision.pending === undefined && !allowed.includes(no)
  if (isTaken) {
    setNo(undefined)
    decision.tell({ kind: 'taken', status })
  }
  const { between } = decision
  useEffect(() => {
    if (between?.kind === 'taken') top.current?.focus()
  }, [between])
  const facts = [number, t('asked_on', { day: dayOf(at) }), ...(isMain ? [user.division.name] : [])]
  return (
    <>
      <div>
        <PageTitle>{name}</PageTitle>
        <p className="muted">{facts.join(' · ')}</p>
      </div>
      <div ref={top} tabIndex={-1} className={classes['top']}>
        <BetweenNotice quotation={quotation} decision={decision} />
        <TurnCard quotation={quotation} part={part} isOfBranch={!isMain || user.division.id !== me.division} />
      </div>
      {revision > 1 && <Changed key={`${from} ${revision}`} quotation={quotation} from={from} isNew={isNew} />}
      <QuotationOrders quotation={quotation} />
      <Lines quotation={quotation} />
      <Totals quotation={quotation} from={revision > 1 ? from : revision} />
      <Comments quotation={quotation} />
      <MoreActions quotation={quotation} part={part} onNo={setNo} />
      <Decide quotation={quotation} decision={decision} onReject={() => setNo('reject')} />
      {no !== undefined && (
        <ReasonSheet action={no} quotation={quotation} decision={decision} onClose={() => setNo(undefined)} />
      )}
    </>
  )
}
