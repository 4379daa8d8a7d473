import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, useSend } from '#api/queries.ts'
import type { Schema } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import { Ident } from '#ui/copy.tsx'
import { AttemptCards } from '#ui/delivery/attempt-cards.tsx'
import type { Attempt } from '#ui/delivery/attempt.ts'
import { endingPhrase } from '#ui/delivery/ending.ts'
import { Exchange } from '#ui/delivery/exchange.tsx'
import { TimingBar } from '#ui/delivery/timing-bar.tsx'
import { Drawer } from '#ui/drawer.tsx'
import { Notice } from '#ui/notice.tsx'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import { useParam } from '#ui/use-params.ts'
import { DeliveryStatus } from './webhook-deliveries.tsx'
import { pageOfWebhook, useWebhookPath, webhookQueries, webhookRoot, type WebhookPath } from './webhook-queries.ts'

type Detail = Schema<'WebhookDeliveryDetail'>

/** One delivery to a webhook: what became of it, why, and every attempt. */
export const DeliveryDrawer = () => {
  const { t } = useTranslation('subscriptions')
  const { t: words } = useTranslation('delivery')
  const path = useWebhookPath()
  const id = useParam('deliveryId')
  const { data: delivery, error } = useQuery(webhookQueries.delivery(path, id))
  const closeTo = pageOfWebhook(path)
  if (delivery === undefined) return <Drawer closeTo={closeTo} title={undefined} error={error} />
  const last = delivery.attemptLog.at(-1)
  const ending =
    last === undefined ? undefined : endingPhrase({ reason: last.reason, status: last.responseStatus }, words)
  return (
    <Drawer
      closeTo={closeTo}
      ident={<Ident id={delivery.messageId} />}
      title={ending === undefined ? t(`status.${delivery.status}`) : t('ping.answer', { phrase: ending })}
      about={
        <>
          <code>{delivery.event}</code> <DeliveryStatus of={delivery} />
        </>
      }
      actions={<Retry path={path} delivery={delivery} />}
    >
      <Why path={path} delivery={delivery} />
      <Attempts key={delivery.id} path={path} delivery={delivery} />
    </Drawer>
  )
}

interface PartProps {
  readonly path: WebhookPath
  readonly delivery: Detail
}

const Retry = ({ path, delivery: { id, status } }: PartProps) => {
  const { t } = useTranslation('subscriptions')
  const retry = useSend('post', `${webhookRoot}/deliveries/{deliveryId}/retry`)
  const send = (): void =>
    retry.mutate(
      { path: { ...path, deliveryId: id }, body: { force: status === 'pending' } },
      { onSuccess: () => toastDone(t('webhook.queued')), onError: toastFailed },
    )
  return (
    <Action main={status !== 'delivered'} loading={retry.isPending} onClick={send}>
      {t(status === 'delivered' ? 'webhook.send_again' : 'webhook.retry')}
    </Action>
  )
}

const Why = ({ path, delivery: { id, status } }: PartProps) => {
  const { data: why } = useQuery({ ...webhookQueries.explain(path, id), enabled: status !== 'delivered' })
  if (status === 'delivered' || why === undefined) return null
  return (
    <Notice title={why.summary} outcome={status === 'failed' ? 'bad' : 'wait'}>
      {why.advice !== null && <p>{why.advice}</p>}
    </Notice>
  )
}

const Attempts = ({ path, delivery }: PartProps) => {
  const { t } = useTranslation(['delivery', 'subscriptions'])
  const { data: webhook } = useQuery(webhookQueries.webhook(path))
  const [wanted, choose] = useState<number>()
  const attempts = delivery.attemptLog.map(toAttempt)
  const chosen = attempts.find(({ number }) => number === wanted) ?? attempts.at(-1)
  const nextAt = delivery.status === 'pending' ? delivery.nextAttemptAt : null
  return (
    <>
      {(attempts.length > 0 || nextAt !== null) && (
        <section className="stack">
          <h3>{t('attempts')}</h3>
          <AttemptCards attempts={attempts} chosen={chosen?.number} choose={choose} nextAt={nextAt} />
          {chosen !== undefined && <TimingBar timing={chosen.timing} totalMs={chosen.durationMs} />}
        </section>
      )}
      <Exchange
        attempts={attempts}
        chosen={chosen}
        url={webhook?.url ?? null}
        body={JSON.stringify(delivery.payload)}
        fetchSecret={async () => (await call('get', `${webhookRoot}/secret`, { path })).secret}
      />
    </>
  )
}

/** An attempt in the names that the parts of all surfaces share. */
const toAttempt = ({ responseStatus, timing, ...attempt }: Detail['attemptLog'][number]): Attempt => ({
  ...attempt,
  status: responseStatus,
  timing: { dns: timing.dnsMs, connect: timing.connectMs, tls: timing.tlsMs, firstByte: timing.firstByteMs },
})
