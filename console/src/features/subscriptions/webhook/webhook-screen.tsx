import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ListAndDrawer } from '#ui/list-and-drawer.tsx'
import { queryOf } from '#ui/list/use-list.ts'
import { Page } from '#ui/page.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { Failed, Skeleton } from '#ui/states.tsx'
import { ActivityChart, type Span } from '../receiver/activity-chart.tsx'
import { HealthFacts } from '../receiver/health-facts.tsx'
import { HealthHistory } from '../receiver/health-history.tsx'
import { sentenceOf } from '../receiver/sentence.ts'
import { shortUrl } from '#ui/short-url.ts'
import { WebhookActions } from './webhook-actions.tsx'
import { deliveriesOf, WebhookDeliveries } from './webhook-deliveries.tsx'
import { WebhookPing } from './webhook-ping.tsx'
import { pageOfWebhook, useWebhookPath, webhookQueries } from './webhook-queries.ts'
import { WebhookSecret } from './webhook-secret.tsx'
import { WebhookSettings } from './webhook-settings.tsx'
import classes from '../receiver/receiver.module.css'

export const asks = ({ params, search }: Address): readonly AnyQuery[] => {
  const { organizationId = '', projectId = '', webhookId = '' } = params
  const path = { organizationId, projectId, webhookId }
  const { webhook, health, activity, history } = webhookQueries
  return [webhook(path), health(path), activity(path, 24), history(path), queryOf(deliveriesOf(path), search)]
}

/** One webhook of a project: how it is doing, what mends it, what was sent, and its settings. */
export const WebhookScreen = () => {
  const { t } = useTranslation(['subscriptions', 'delivery', 'texts'])
  const path = useWebhookPath()
  const [span, setSpan] = useState<Span>('24')
  const { data: webhook, error } = useQuery(webhookQueries.webhook(path))
  const { data: health, error: noHealth } = useQuery(webhookQueries.health(path))
  const { data: day } = useQuery(webhookQueries.activity(path, 24))
  const { data: activity } = useQuery(webhookQueries.activity(path, Number(span)))
  const { data: history } = useQuery(webhookQueries.history(path))
  const failed = error ?? noHealth
  if (failed !== null && (webhook === undefined || health === undefined)) return <Failed error={failed} />
  if (webhook === undefined || health === undefined) return <Skeleton lines={16} width="100%" />
  return (
    <ListAndDrawer>
      <Page
        title={sentenceOf(health, day, t)}
        about={
          <>
            {webhook.name}, {t('webhook.to')} <code>{shortUrl(webhook.url)}</code>
          </>
        }
        request={{ url: `/api/v1${pageOfWebhook(path)}` }}
        actions={<WebhookActions path={path} health={health} />}
      >
        <div className={classes['columns']}>
          <div className={classes['column']}>
            <ActivityChart activity={activity} span={span} choose={setSpan} />
            <WebhookDeliveries path={path} />
            <HealthHistory changes={history?.rows} />
          </div>
          <div className={classes['column']}>
            <section className="stack">
              <h2>{t('facts.title')}</h2>
              <HealthFacts health={health} />
            </section>
            <WebhookPing path={path} isActive={webhook.active} />
            <WebhookSecret path={path} />
            <WebhookSettings path={path} webhook={webhook} />
          </div>
        </div>
      </Page>
    </ListAndDrawer>
  )
}
