import { useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { recordOf, useSend } from '#api/queries.ts'
import { useMe } from '#api/session.ts'
import { Action } from '#ui/action.tsx'
import { Ident } from '#ui/copy.tsx'
import { Drawer } from '#ui/drawer.tsx'
import { Link } from '#ui/link.tsx'
import { Notice } from '#ui/notice.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { formatMoney, formatNumber } from '#ui/texts/format.ts'
import { Time } from '#ui/time.tsx'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import { useIdParam } from '#ui/use-params.ts'
import type { Order } from './order-list.tsx'

const orderOf = (id: number) => recordOf('/api/v1/orders/{id}', { path: { id } })

export const asks = ({ params }: Address): readonly AnyQuery[] => [orderOf(Number(params['id']))]

interface OrderProps {
  readonly order: Order
}

/** One order: whether the commerce platform has it, why not, what is in it. */
export const OrderDrawer = () => {
  const { t } = useTranslation('orders')
  const { data: order, error } = useQuery(orderOf(useIdParam()))
  if (order === undefined) return <Drawer closeTo="/orders" title={undefined} error={error} />
  const { number, division, quantity, amount, currency } = order
  return (
    <Drawer
      closeTo="/orders"
      ident={<Ident id={number} keep={12} />}
      title={sentenceOf(order, t)}
      about={t('about_line', { division: division.name, count: quantity, amount: formatMoney(amount, currency) })}
      actions={<Retry order={order} />}
    >
      <Trouble order={order} />
      <Facts order={order} />
      <Items order={order} />
    </Drawer>
  )
}

const sentenceOf = ({ status, remote_number: remote, attempts, next_attempt_at: next }: Order, t: TFunction) => {
  if (status === 'created') return t(remote === null ? 'sentence.created' : 'sentence.created_as', { remote })
  if (attempts === 0) return t('sentence.waits')
  return t(status === 'failed' && next === null ? 'sentence.given_up' : 'sentence.failed', { count: attempts })
}

const Retry = ({ order: { id, status } }: OrderProps) => {
  const { t } = useTranslation('orders')
  const me = useMe()
  const retry = useSend('post', '/api/v1/orders/{id}/retry')
  const wrongStatus = status === 'failed' ? undefined : t(`off.${status}`)
  return (
    <Action
      main
      off={me.is_superuser ? wrongStatus : t('off.role')}
      loading={retry.isPending}
      onClick={() =>
        retry.mutate({ path: { id } }, { onSuccess: () => toastDone(t('retried', { count: 1 })), onError: toastFailed })
      }
    >
      {t('retry')}
    </Action>
  )
}

const reportPath = /\/error_reports\/\d+/

/** Why the last attempt failed, when the next one is, and its error report. */
const Trouble = ({ order: { error, next_attempt_at: next, error_report: report } }: OrderProps) => {
  const { t } = useTranslation('orders')
  if (error === null) return null
  const to = reportPath.exec(report ?? '')?.[0]
  return (
    <Notice outcome="bad" title={t('error')}>
      <pre>{error}</pre>
      {next !== null && (
        <p>
          {t('next')} <Time at={next} />
        </p>
      )}
      {to !== undefined && <Link to={to}>{t('report')}</Link>}
    </Notice>
  )
}

const Facts = ({ order }: OrderProps) => {
  const { t } = useTranslation('orders')
  const { quotation, batch_no: batch, remote_number: remote, attempts } = order
  return (
    <dl className="facts">
      <dt>{t('field.quotation')}</dt>
      <dd>
        <Link to={`/quotations/${quotation.id}`}>{quotation.number}</Link> {quotation.name}
      </dd>
      <dt>{t('field.batch_no')}</dt>
      <dd>{formatNumber(batch)}</dd>
      <dt>{t('field.remote_number')}</dt>
      <dd>{remote === null ? '–' : <Ident id={remote} keep={12} />}</dd>
      <dt>{t('field.attempts')}</dt>
      <dd>{formatNumber(attempts)}</dd>
      <dt>{t('field.created_at')}</dt>
      <dd>
        <Time at={order.created_at} as="moment" />
      </dd>
      <dt>{t('field.packages')}</dt>
      <dd>
        <Link to={`/packages?quotation_order=${order.id}`}>{t('packages')}</Link>
      </dd>
    </dl>
  )
}

const Items = ({ order: { items, currency } }: OrderProps) => {
  const { t } = useTranslation('orders')
  return (
    <table className="table">
      <thead>
        <tr>
          <th scope="col">{t('field.sku')}</th>
          <th scope="col" className="num">
            {t('field.quantity')}
          </th>
          <th scope="col" className="num">
            {t('field.amount')}
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map(({ sku, product_remote_id: product, quantity, amount }) => (
          <tr key={product}>
            <td>
              <code>{sku}</code>
            </td>
            <td className="num">{formatNumber(quantity)}</td>
            <td className="num">{formatMoney(amount, currency)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
