import type { TFunction } from 'i18next'
import type { RowOf } from '#api/types.ts'
import { choiceFilter } from '#ui/list/filters.ts'
import type { Column } from '#ui/list/list-table.tsx'
import type { ListDefinition } from '#ui/list/use-list.ts'
import { formatNumber, formatPercent } from '#ui/texts/format.ts'
import { Health } from './health.tsx'
import { shortUrl } from '#ui/short-url.ts'
import { Sparkline } from './sparkline.tsx'
import classes from './subscriptions.module.css'

export type Subscription = RowOf<'/api/v1/subscriptions'>

const kinds = ['hook', 'project_webhook', 'flow'] as const
const healths = ['healthy', 'failing', 'probing', 'disabled'] as const

export const subscriptions: ListDefinition<'/api/v1/subscriptions'> = {
  path: '/api/v1/subscriptions',
  texts: 'subscriptions',
  filters: [
    { name: 'q', label: 'field.q', kind: 'text' },
    { ...choiceFilter('kind', kinds), isRepeatable: false },
    { ...choiceFilter('health', healths), isRepeatable: false },
    { name: 'is_active', label: 'field.is_active', kind: 'yesno' },
  ],
}

/** Where a subscription has its page. */
export const pageOf = ({ kind, id, organization, project }: Subscription): string => {
  if (kind === 'hook') return `/hooks/${id}`
  if (kind === 'flow') return `/flows/${id}`
  return `/organizations/${organization?.id}/projects/${project?.id}/settings/webhooks/${id}`
}

export const columns: readonly Column<Subscription>[] = [
  {
    name: 'to',
    title: 'field.to',
    render: (row) => (
      <span className={`${classes['name']} ${classes['receiver']}`}>
        <span className="strong cut">{row.name ?? shortUrl(row.target_url)}</span>
        {row.name !== null && <span className="small muted cut">{shortUrl(row.target_url)}</span>}
      </span>
    ),
  },
  { name: 'health', title: 'field.health', render: (row) => <Health of={row} /> },
  { name: 'kind', title: 'field.kind', isWide: true, render: (row, t) => t(`kind.${row.kind}`) },
  { name: 'events', title: 'field.events', isWide: true, render: (row, t) => eventsOf(row, t) },
  {
    name: 'rate',
    title: 'field.rate',
    isNumber: true,
    isWide: true,
    render: (row, t) => rateOf(row, t),
  },
  {
    name: 'waiting',
    title: 'field.waiting',
    isNumber: true,
    isWide: true,
    render: (row) => counted(row.pending + row.waiting + row.held),
  },
  {
    name: 'day',
    title: 'field.day',
    isWide: true,
    render: (row, t) => <Sparkline bars={row.activity} label={dayOf(row, t)} />,
  },
]

/** The first event, and how many more there are. */
const eventsOf = ({ event_types: events }: Subscription, t: TFunction) => {
  if (events.length === 0) return <span className="muted">–</span>
  const more = events.length - 1
  return (
    <span className={classes['name']}>
      <code className="cut">{events[0]}</code>
      {more > 0 && <span className="small muted">{t('more_events', { count: more })}</span>}
    </span>
  )
}

const sum = ({ activity }: Subscription) => ({
  delivered: activity.reduce((total, hour) => total + hour.delivered, 0),
  failed: activity.reduce((total, hour) => total + hour.failed, 0),
})

const rateOf = (row: Subscription, t: TFunction) => {
  const { delivered, failed } = sum(row)
  if (delivered + failed === 0) return <span className="muted">–</span>
  const rate = formatPercent(delivered / (delivered + failed))
  const isWhole = row.activity_is_exact
  return <span className={failed > 0 ? 'text-bad' : undefined}>{isWhole ? rate : t('roughly', { value: rate })}</span>
}

const counted = (count: number) =>
  count === 0 ? <span className="muted">0</span> : `${formatNumber(count)}${count >= 10_000 ? '+' : ''}`

const dayOf = (row: Subscription, t: TFunction): string => {
  const { delivered, failed } = sum(row)
  return t('day', { delivered: formatNumber(delivered), failed: formatNumber(failed) })
}
