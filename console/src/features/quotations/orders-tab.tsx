import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { useMe } from '#api/session.ts'
import { Action } from '#ui/action.tsx'
import { Link } from '#ui/link.tsx'
import { Empty } from '#ui/states.tsx'
import { Status } from '#ui/status.tsx'
import { formatMoney, formatNumber } from '#ui/texts/format.ts'
import { Time } from '#ui/time.tsx'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import { useDraftHere } from './draft/use-draft.ts'
import { orderOutcomes } from '#parts/quotation-filters.ts'
import type { Quotation } from './quotation.ts'
import { SplitBars } from './side/split-bars.tsx'
import { useSplit } from './side/use-split.ts'
import classes from './workspace.module.css'

const shownOrders = 200

/** The orders that it became, or that it becomes; what failed can be tried again. */
export const OrdersTab = () => {
  const { t } = useTranslation('quotations')
  const { quotation } = useDraftHere()
  const { id, orders } = quotation
  if (orders.length === 0) return <Planned />
  const failed = orders.filter(({ status }) => status === 'failed').length
  return (
    <div className={classes['tab']}>
      <div className="flex between wrap">
        <Link to={`/orders?quotation=${id}`}>{t('all_orders', { count: orders.length })}</Link>
        {failed > 0 && <RetryAll id={id} count={failed} />}
      </div>
      <div style={{ overflowX: 'auto' }}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t('field.number')}</th>
              <th scope="col">{t('field.status')}</th>
              <th scope="col">{t('field.division')}</th>
              <th scope="col" className="num">
                {t('field.quantity')}
              </th>
              <th scope="col" className="num">
                {t('field.net_amount')}
              </th>
              <th scope="col">{t('order.remote')}</th>
              <th scope="col">
                <span className="visually-hidden">{t('order.next')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {orders.slice(0, shownOrders).map((order) => (
              <OrderRow key={order.id} order={order} quotation={quotation} />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

const Planned = () => {
  const { t } = useTranslation('quotations')
  const orders = useSplit()
  if (orders.length === 0) return <Empty title={t('split.none')} />
  return (
    <div className={classes['tab']}>
      <p className="muted">{t('split.planned', { count: orders.length })}</p>
      <SplitBars orders={orders} />
    </div>
  )
}

interface OrderRowProps {
  readonly order: Quotation['orders'][number]
  readonly quotation: Quotation
}

const reportPath = /\/error_reports\/\d+/

const OrderRow = ({ order, quotation: { id, currency } }: OrderRowProps) => {
  const { t } = useTranslation('quotations')
  const { status, error, error_report: report, next_attempt_at: next } = order
  const to = reportPath.exec(report ?? '')?.[0]
  return (
    <tr>
      <td style={{ whiteSpace: 'nowrap' }}>
        <Link to={`/orders/${order.id}`}>{order.number}</Link>
      </td>
      <td>
        <Status outcome={orderOutcomes[status]}>{t(`order_status.${status}`)}</Status>
        {error !== null && status !== 'created' && (
          <div className="small text-bad">
            {error.slice(0, 160)} {to !== undefined && <Link to={to}>{t('order.report')}</Link>}
          </div>
        )}
        {next !== null && status !== 'created' && (
          <div className="small muted">
            {t('order.again')} <Time at={next} />
          </div>
        )}
      </td>
      <td>{t('order.batch', { division: order.division.name, number: order.batch_no })}</td>
      <td className="num">{formatNumber(order.quantity)}</td>
      <td className="num" style={{ whiteSpace: 'nowrap' }}>
        {formatMoney(order.amount, currency)}
      </td>
      <td>{order.remote_number === null ? '–' : <code>{order.remote_number}</code>}</td>
      <td className="num" style={{ whiteSpace: 'nowrap' }}>
        {status === 'failed' && <RetryOne id={id} order={order.id} />}
        {status === 'created' && <Link to={`/packages?quotation_order=${order.id}`}>{t('order.packages')}</Link>}
      </td>
    </tr>
  )
}

const RetryOne = ({ id, order }: { readonly id: number; readonly order: number }) => {
  const { t } = useTranslation('quotations')
  const me = useMe()
  const retry = useSend('post', '/api/v1/quotations/{id}/orders/{order_id}/retry')
  return (
    <Action
      off={me.is_superuser ? undefined : t('off.role')}
      loading={retry.isPending}
      onClick={() =>
        retry.mutate(
          { path: { id, order_id: order } },
          { onSuccess: () => void toastDone(t('order.retried', { count: 1 })), onError: toastFailed },
        )
      }
    >
      {t('order.retry')}
    </Action>
  )
}

const RetryAll = ({ id, count }: { readonly id: number; readonly count: number }) => {
  const { t } = useTranslation('quotations')
  const me = useMe()
  const retry = useSend('post', '/api/v1/quotations/{id}/orders/retry')
  return (
    <Action
      main
      off={me.is_superuser ? undefined : t('off.role')}
      loading={retry.isPending}
      onClick={() =>
        retry.mutate(
          { path: { id } },
          { onSuccess: () => void toastDone(t('order.retried', { count })), onError: toastFailed },
        )
      }
    >
      {t('order.retry_all', { count })}
    </Action>
  )
}
