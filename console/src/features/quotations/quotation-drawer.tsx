import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Ident } from '#ui/copy.tsx'
import { Drawer } from '#ui/drawer.tsx'
import { Timeline } from '#parts/fulfilment/timeline.tsx'
import { Link } from '#ui/link.tsx'
import { Notice } from '#ui/notice.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { Status } from '#ui/status.tsx'
import { formatMoney, formatNumber } from '#ui/texts/format.ts'
import { Time } from '#ui/time.tsx'
import { useIdParam } from '#ui/use-params.ts'
import { Comments } from './comments.tsx'
import { QuotationActions } from './quotation-actions.tsx'
import { QuotationItems } from './quotation-items.tsx'
import { orderOutcomes } from './quotation-list.tsx'
import { auditOf, commentsOf, divisions, quotationOf, sentenceOf, type Quotation } from './quotation.ts'
import classes from './quotations.module.css'

export const asks = ({ params }: Address): readonly AnyQuery[] => {
  const id = Number(params['id'])
  return [quotationOf(id), commentsOf(id), auditOf(id), divisions]
}

interface QuotationProps {
  readonly quotation: Quotation
}

/** One quotation: whose turn it is, what can be done, what is offered, what was said, what happened. */
export const QuotationDrawer = () => {
  const { t } = useTranslation('quotations')
  const { data: quotation, error } = useQuery(quotationOf(useIdParam()))
  if (quotation === undefined) return <Drawer closeTo="/quotations" title={undefined} error={error} isWide />
  const { id, number, name, user } = quotation
  return (
    <Drawer
      closeTo="/quotations"
      isWide
      ident={<Ident id={number} keep={12} />}
      title={sentenceOf(quotation, t)}
      about={`${name}, ${user.division.name}`}
      actions={<QuotationActions key={id} quotation={quotation} />}
    >
      <Reason quotation={quotation} />
      <Facts quotation={quotation} />
      <Orders quotation={quotation} />
      <QuotationItems key={`items ${id}`} quotation={quotation} />
      <Comments key={`comments ${id}`} quotation={quotation} />
      <History quotation={quotation} />
    </Drawer>
  )
}

const nameOf = ({
  first_name: first,
  last_name: last,
  email,
}: Quotation['user'] | NonNullable<Quotation['assignee']>) => `${first} ${last}`.trim() || email

const Reason = ({ quotation: { reason } }: QuotationProps) => {
  const { t } = useTranslation('quotations')
  if (reason === null || reason.text === '') return null
  return (
    <Notice outcome="idle" title={t(`reason.${reason.action}`, { who: nameOf(reason.by) })}>
      <p>{reason.text}</p>
    </Notice>
  )
}

const Facts = ({ quotation }: QuotationProps) => {
  const { t } = useTranslation('quotations')
  const { user, assignee, revision } = quotation
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t('field.user'), `${nameOf(user)}, ${user.email}`],
    [t('field.phone_number'), user.division.phone_number || '–'],
    [t('field.assignee'), assignee === null ? '–' : nameOf(assignee)],
    [t('field.revision'), formatNumber(revision)],
    [t('field.created_at'), <Time key="created" at={quotation.created_at} as="moment" />],
    [t('field.sent_at'), <Time key="sent" at={quotation.sent_at} as="moment" />],
    [t('field.expires_at'), <Time key="expires" at={quotation.expires_at} as="moment" />],
  ]
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name} style={{ display: 'contents' }}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const shownOrders = 20

const Orders = ({ quotation: { id, orders, currency } }: QuotationProps) => {
  const { t } = useTranslation('quotations')
  if (orders.length === 0) return null
  return (
    <section className="stack">
      <div className="flex between">
        <h3>{t('orders')}</h3>
        <Link to={`/orders?quotation=${id}`}>{t('all_orders', { count: orders.length })}</Link>
      </div>
      <table className="table">
        <tbody>
          {orders.slice(0, shownOrders).map((order) => (
            <tr key={order.id}>
              <td className={classes['whole']}>
                <Link to={`/orders/${order.id}`}>{order.number}</Link>
              </td>
              <td>
                <Status outcome={orderOutcomes[order.status]}>{t(`order_status.${order.status}`)}</Status>
              </td>
              <td className="wide">{order.division.name}</td>
              <td className={`num ${classes['whole']}`}>{formatMoney(order.amount, currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Those whom the quotation and its comments name, by id: not everybody who reads it may read users. */
const useNames = (quotation: Quotation): ReadonlyMap<number, string> => {
  const { data } = useQuery(commentsOf(quotation.id))
  const { user, assignee, reason } = quotation
  const people = [user, assignee, reason?.by, ...(data?.rows.map((comment) => comment.user) ?? [])]
  return new Map(people.flatMap((one) => (one ? [[one.id, nameOf(one)] as const] : [])))
}

const History = ({ quotation }: QuotationProps) => {
  const { t } = useTranslation('quotations')
  const { data } = useQuery(auditOf(quotation.id))
  const names = useNames(quotation)
  if (data === undefined) return null
  return (
    <>
      <Timeline
        title={t('history.title')}
        happened={data.rows.map(({ action, user, created_at: at }) => ({
          at,
          what: t(`history.${action}`),
          actor: user,
          name: user === null ? undefined : names.get(user),
        }))}
      />
      {data.total > data.rows.length && <p className="muted">{t('first_of', { count: data.total })}</p>}
    </>
  )
}
