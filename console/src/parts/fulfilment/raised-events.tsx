import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { listOf } from '#api/queries.ts'
import type { RowOf } from '#api/types.ts'
import { deliveryOutcomes } from '#ui/delivery/outcomes.ts'
import { Link } from '#ui/link.tsx'
import { Failed, Skeleton } from '#ui/states.tsx'
import { Status } from '#ui/status.tsx'
import { Time } from '#ui/time.tsx'
import classes from './fulfilment.module.css'

type Delivery = RowOf<'/whisperer/hook_events'>

/** Enough for the whole life of a package with some hooks; the log has the rest. */
const mostEvents = 20
const mostDeliveries = 200

interface RaisedEventsProps {
  readonly kind: 'package' | 'shipment' | 'transfer' | 'stocklocation'
  readonly id: number
}

/** The events that something raised, the newest first, and what became of their deliveries. */
export const RaisedEvents = ({ kind, id }: RaisedEventsProps) => {
  const { t } = useTranslation('fulfilment')
  const about = { object_type: kind, object_id: String(id) }
  const events = useQuery(listOf('/api/v1/events', { query: { ...about, limit: mostEvents } }))
  const deliveries = useQuery(listOf('/whisperer/hook_events', { query: { ...about, limit: mostDeliveries } }))
  return (
    <section className="stack">
      <div className="flex between">
        <h3>{t('events')}</h3>
        <Link to={`/deliveries?object_type=${kind}&object_id=${id}`}>{t('all_deliveries')}</Link>
      </div>
      {events.error !== null && events.data === undefined && <Failed error={events.error} />}
      {events.error === null && events.data === undefined && <Skeleton lines={3} width="100%" />}
      {events.data?.rows.length === 0 && <p className="muted">{t('no_events')}</p>}
      <ul className={classes['events']}>
        {events.data?.rows.map((event) => (
          <li key={event.id}>
            <Link to={`/events/${event.id}`}>
              <code>{event.type}</code>
            </Link>
            <span className="muted">
              <Time at={event.created_date} />
            </span>
            <span className="flex wrap">
              <Became deliveries={deliveries.data?.rows.filter((one) => one.event === event.id)} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** "4 delivered, 1 failed". */
const Became = ({ deliveries }: { readonly deliveries: readonly Delivery[] | undefined }) => {
  const { t } = useTranslation('fulfilment')
  if (deliveries === undefined) return null
  if (deliveries.length === 0) return <span className="muted small">{t('no_deliveries')}</span>
  const byStatus = Map.groupBy(deliveries, ({ status }) => status)
  return [...byStatus].map(([status, { length }]) => (
    <Status key={status} outcome={deliveryOutcomes[status]}>
      {t(`became.${status}`, { count: length })}
    </Status>
  ))
}
