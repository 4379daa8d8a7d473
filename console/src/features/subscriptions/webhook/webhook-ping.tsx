import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { toastFailed } from '#ui/toast.tsx'
import { FirstAnswer } from '../receiver/first-answer.tsx'
import { pageOfWebhook, webhookQueries, webhookRoot, type WebhookPath } from './webhook-queries.ts'

interface WebhookPingProps {
  readonly path: WebhookPath
  readonly isActive: boolean
}

/** Sends `webhook.ping` to a webhook alone, and shows what came back as soon as it is there. */
export const WebhookPing = ({ path, isActive }: WebhookPingProps) => {
  const { t } = useTranslation('subscriptions')
  const ping = useSend('post', `${webhookRoot}/ping`)
  return (
    <section className="stack">
      <h2>{t('ping.title')}</h2>
      <p className="muted">{t('webhook.ping_why')}</p>
      <div>
        <Action
          loading={ping.isPending}
          off={isActive ? undefined : t('webhook.ping_off')}
          onClick={() => ping.mutate({ path }, { onError: toastFailed })}
        >
          {t('ping.send')}
        </Action>
      </div>
      <div aria-live="polite">{ping.data !== undefined && <Answered path={path} delivery={ping.data.delivery} />}</div>
    </section>
  )
}

const hurryMs = 400

const Answered = ({ path, delivery: id }: { readonly path: WebhookPath; readonly delivery: string }) => {
  const { data } = useQuery({
    ...webhookQueries.delivery(path, id),
    refetchInterval: ({ state }) => (state.data?.attemptLog.some((one) => one.durationMs !== null) ? false : hurryMs),
  })
  const attempt = data?.attemptLog.findLast((one) => one.durationMs !== null)
  return (
    <FirstAnswer
      to={`${pageOfWebhook(path)}/deliveries/${id}`}
      of={
        attempt && {
          isDelivered: attempt.outcome === 'delivered',
          status: attempt.responseStatus,
          reason: attempt.reason,
          durationMs: attempt.durationMs,
          detail: attempt.detail,
          body: attempt.responseBody,
        }
      }
    />
  )
}
