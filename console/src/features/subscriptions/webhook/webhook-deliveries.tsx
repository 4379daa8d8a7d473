import { useTranslation } from 'react-i18next'
import type { Schema } from '#api/types.ts'
import { deliveryOutcomes } from '#ui/delivery/outcomes.ts'
import { endingWord } from '#ui/delivery/ending.ts'
import { choiceFilter } from '#ui/list/filters.ts'
import type { Column } from '#ui/list/list-table.tsx'
import { ListView } from '#ui/list/list-view.tsx'
import { useList, type ListDefinition } from '#ui/list/use-list.ts'
import { Status } from '#ui/status.tsx'
import { Time } from '#ui/time.tsx'
import { pageOfWebhook, webhookRoot, type WebhookPath } from './webhook-queries.ts'

type Delivery = Schema<'WebhookDelivery'>
type Path = `${typeof webhookRoot}/deliveries`

const statuses: readonly Delivery['status'][] = ['pending', 'delivered', 'failed', 'held', 'cancelled']

export const deliveriesOf = (parameters: WebhookPath): ListDefinition<Path> => ({
  path: `${webhookRoot}/deliveries`,
  texts: 'subscriptions',
  parameters,
  limit: 20,
  filters: [
    { ...choiceFilter('status', statuses), isRepeatable: false },
    { name: 'event', label: 'field.event', kind: 'text' },
    { name: 'createdAt', label: 'field.time', kind: 'time' },
  ],
})

/** The status of a delivery with how its last attempt ended. */
export const DeliveryStatus = ({ of }: { readonly of: Delivery }) => {
  const { t } = useTranslation('subscriptions')
  const { t: words } = useTranslation('delivery')
  const isOver = of.reason === 'delivered' || of.status === 'held' || of.attempts === 0
  const code = isOver
    ? String(of.responseStatus ?? '')
    : endingWord({ reason: of.reason, status: of.responseStatus }, words)
  return (
    <Status outcome={deliveryOutcomes[of.status]}>
      {t(`status.${of.status}`)}
      {code !== '' && ` · ${code}`}
    </Status>
  )
}

const columns: readonly Column<Delivery>[] = [
  {
    name: 'time',
    title: 'field.time',
    render: ({ createdAt }) => (
      <span className="muted">
        <Time at={createdAt} />
      </span>
    ),
  },
  { name: 'status', title: 'field.status', render: (delivery) => <DeliveryStatus of={delivery} /> },
  { name: 'event', title: 'field.event', render: ({ event }) => <code>{event}</code> },
  { name: 'tries', title: 'field.tries', isNumber: true, isWide: true, render: ({ attempts }) => attempts },
  { name: 'next', title: 'field.next', isWide: true, render: ({ nextAttemptAt }) => <Time at={nextAttemptAt} /> },
]

/** What was sent to a webhook, each with its details beside. */
export const WebhookDeliveries = ({ path }: { readonly path: WebhookPath }) => {
  const { t } = useTranslation('subscriptions')
  const list = useList(deliveriesOf(path))
  return (
    <section className="stack">
      <h2>{t('last.title')}</h2>
      <ListView
        list={list}
        columns={columns}
        rowTo={({ id }) => `${pageOfWebhook(path)}/deliveries/${id}`}
        empty={<p className="muted">{t('last.none')}</p>}
      />
    </section>
  )
}
