import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Page } from '#ui/page.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { Failed, Skeleton } from '#ui/states.tsx'
import { useIdParam } from '#ui/use-params.ts'
import { ActivityChart, type Span } from '../receiver/activity-chart.tsx'
import { HealthFacts } from '../receiver/health-facts.tsx'
import { HealthHistory } from '../receiver/health-history.tsx'
import { sentenceOf } from '../receiver/sentence.ts'
import { shortUrl } from '#ui/short-url.ts'
import { toActivity, toChange, toHealth } from './as-receiver.ts'
import { Explain } from './explain.tsx'
import { HookActions } from './hook-actions.tsx'
import { eventsOf } from './hook-form.ts'
import { hookQueries } from './hook-queries.ts'
import { HookSecret } from './hook-secret.tsx'
import { HookSettings } from './hook-settings.tsx'
import { LastDeliveries } from './last-deliveries.tsx'
import { Ping } from './ping.tsx'
import classes from '../receiver/receiver.module.css'

export const asks = ({ params }: Address): readonly AnyQuery[] => {
  const id = Number(params['id'])
  const { hook, health, activity, history, deliveries, secret } = hookQueries
  return [hook(id), health(id), activity(id, 24), history(id), deliveries(id), secret(id)]
}

/** One hook: how it is doing, what mends it, what was sent lately, and its settings. */
export const HookScreen = () => {
  const { t } = useTranslation(['subscriptions', 'delivery', 'texts'])
  const id = useIdParam()
  const [span, setSpan] = useState<Span>('24')
  const { data: hook, error } = useQuery(hookQueries.hook(id))
  const { data: health, error: noHealth } = useQuery(hookQueries.health(id))
  const { data: day } = useQuery(hookQueries.activity(id, 24))
  const { data: activity } = useQuery(hookQueries.activity(id, Number(span)))
  const { data: history } = useQuery(hookQueries.history(id))
  const failed = error ?? noHealth
  if (hook === undefined || health === undefined) return failed === null ? <Pending /> : <Failed error={failed} />
  const receiver = toHealth(health)
  return (
    <Page
      title={sentenceOf(receiver, day === undefined ? undefined : toActivity(day), t)}
      about={
        <>
          {t('hook.to')} <code>{shortUrl(hook.target_url)}</code>, {t('hook.events')}{' '}
          <code>{eventsOf(hook).join(', ')}</code>
        </>
      }
      request={{ url: `/whisperer/hooks/${id}/` }}
      actions={<HookActions hook={hook} health={receiver} />}
    >
      <div className={classes['columns']}>
        <div className={classes['column']}>
          <ActivityChart activity={activity && toActivity(activity)} span={span} choose={setSpan} />
          <LastDeliveries hook={id} />
          <HealthHistory changes={history?.rows.map(toChange)} />
        </div>
        <div className={classes['column']}>
          <section className="stack">
            <h2>{t('facts.title')}</h2>
            <HealthFacts health={receiver} />
          </section>
          <section className="stack">
            <h2>{t('ping.title')}</h2>
            <Ping hook={hook} />
          </section>
          <HookSecret id={id} />
          <Explain hook={id} />
        </div>
      </div>
      <HookSettings hook={hook} />
    </Page>
  )
}

const Pending = () => (
  <div style={{ padding: '16px 20px' }}>
    <Skeleton lines={16} width="100%" />
  </div>
)
