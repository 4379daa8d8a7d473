import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { deliveryOutcomes } from '#ui/delivery/outcomes.ts'
import { endingWord } from '#ui/delivery/ending.ts'
import { Link } from '#ui/link.tsx'
import { Status } from '#ui/status.tsx'
import { Time } from '#ui/time.tsx'
import { hookQueries } from './hook-queries.ts'
import classes from '../receiver/receiver.module.css'

/** The newest deliveries to a hook, and the way to all of them. */
export const LastDeliveries = ({ hook }: { readonly hook: number }) => {
  const { t } = useTranslation('subscriptions')
  const { t: words } = useTranslation('delivery')
  const { data } = useQuery(hookQueries.deliveries(hook))
  if (data === undefined) return null
  return (
    <section className="stack">
      <div className="flex between">
        <h2>{t('last.title')}</h2>
        <Link to={`/deliveries?webhook=${hook}`}>{t('last.all')}</Link>
      </div>
      {data.rows.length === 0 && <p className="muted">{t('last.none')}</p>}
      <ul className={classes['rows']}>
        {data.rows.map((row) => {
          const code =
            row.attempt_count === 0 ? '' : endingWord({ reason: row.reason, status: row.response_http_status }, words)
          return (
            <li key={row.id}>
              <Status outcome={deliveryOutcomes[row.status]}>
                {t(`status.${row.status}`)}
                {code !== '' && ` · ${code}`}
              </Status>
              <Link to={`/deliveries/${row.id}?webhook=${hook}`}>
                <code>{row.event_type}</code>
              </Link>
              <span>{row.object_id === null ? '' : `${row.object_type} ${row.object_id}`}</span>
              <span className="muted">
                <Time at={row.created_date} />
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
