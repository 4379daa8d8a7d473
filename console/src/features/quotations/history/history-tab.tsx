import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { listOf } from '#api/queries.ts'
import { useMe } from '#api/session.ts'
import { Timeline } from '#parts/fulfilment/timeline.tsx'
import { Skeleton } from '#ui/states.tsx'
import { useDraftHere } from '../draft/use-draft.ts'
import { auditOf, commentsOf, type Quotation } from '../quotation.ts'
import { nameOf } from '../words.ts'
import { auditDetail, auditWords } from './audit-detail.ts'
import { Revisions } from './revisions.tsx'
import classes from '../workspace.module.css'

export const revisionsOf = (id: number) =>
  listOf('/api/v1/quotations/{id}/revisions', { path: { id }, query: { limit: 100 } })

/** What the buyer was offered one time after the other, and everything that happened. */
export const HistoryTab = () => {
  const { t } = useTranslation('quotations')
  const { quotation } = useDraftHere()
  const { data } = useQuery(auditOf(quotation.id))
  const { data: revisions } = useQuery(revisionsOf(quotation.id))
  const names = useNames(quotation)
  if (data === undefined) return <Skeleton lines={8} width="100%" />
  return (
    <div className={classes['tab']}>
      {revisions !== undefined && <Revisions revisions={revisions.rows} names={names} />}
      <Timeline
        title={t('history.title')}
        happened={data.rows.map((entry) => ({
          at: entry.created_at,
          what: auditWords(entry, t),
          actor: entry.user,
          name: entry.user === null ? undefined : names.get(entry.user),
          detail: auditDetail(entry, { currency: quotation.currency, names, t }),
        }))}
      />
      {data.total > data.rows.length && <p className="muted">{t('first_of', { count: data.total })}</p>}
    </div>
  )
}

/** Oneself and those whom the quotation and its comments name, by id: not everybody who reads it may read users. */
const useNames = (quotation: Quotation): ReadonlyMap<number, string> => {
  const { data } = useQuery(commentsOf(quotation.id))
  const me = useMe()
  const { user, assignee, reason } = quotation
  const people = [me, user, assignee, reason?.by, ...(data?.rows.map((comment) => comment.user) ?? [])]
  return new Map(people.flatMap((one) => (one ? [[one.id, nameOf(one)] as const] : [])))
}
