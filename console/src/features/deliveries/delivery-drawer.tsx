import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { recordOf } from '#api/queries.ts'
import type { Schema } from '#api/types.ts'
import { EventObject } from '#ui/event-object.tsx'
import { Ident } from '#ui/copy.tsx'
import { AttemptCards } from '#ui/delivery/attempt-cards.tsx'
import { Exchange } from '#ui/delivery/exchange.tsx'
import { TimingBar } from '#ui/delivery/timing-bar.tsx'
import { Drawer } from '#ui/drawer.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { useIdParam } from '#ui/use-params.ts'
import { Countdown } from './countdown.tsx'
import { DeliveryActions } from './delivery-actions.tsx'
import { Receiver } from './receiver.tsx'
import { sentenceOf } from './sentence.ts'
import { toAttempt } from './to-attempt.ts'
import { useExplanation, WhyLate } from './why-late.tsx'

type Detail = Schema<'HookEventDetail'>

const deliveryOf = (id: number) => recordOf('/whisperer/hook_events/{id}', { path: { id } })

export const asks = ({ params }: Address): readonly AnyQuery[] => [deliveryOf(Number(params['id']))]

/** One delivery: what became of it, what can be done, why it is late, and every attempt. */
export const DeliveryDrawer = () => {
  const { data: delivery, error } = useQuery(deliveryOf(useIdParam()))
  if (delivery === undefined) return <Drawer closeTo="/deliveries" title={undefined} error={error} />
  return <Found delivery={delivery} />
}

const Found = ({ delivery }: { readonly delivery: Detail }) => {
  const { t } = useTranslation('deliveries')
  const { t: common } = useTranslation('delivery')
  const next = useExplanation(delivery)?.next?.at
  // A pause of the whole endpoint can last longer than that of the delivery.
  const shown =
    delivery.status === 'pending' ? { ...delivery, next_attempt_at: next ?? delivery.next_attempt_at } : delivery
  return (
    <Drawer
      closeTo="/deliveries"
      ident={
        <>
          <Ident id={delivery.id} /> · <Ident id={delivery.uuid} />
        </>
      }
      title={sentenceOf(delivery, t, common)}
      about={<AboutLine delivery={shown} />}
      actions={<DeliveryActions delivery={delivery} />}
    >
      <WhyLate delivery={delivery} />
      <Attempts key={delivery.id} delivery={shown} />
    </Drawer>
  )
}

/** What, about whom, to whom, and when next. */
const AboutLine = ({ delivery }: { readonly delivery: Detail }) => (
  <>
    <Trans
      ns="deliveries"
      i18nKey={delivery.object_id === null ? 'about_line_bare' : 'about_line'}
      components={{
        event: <code>{delivery.event_type}</code>,
        about: <EventObject of={delivery} />,
        to: <Receiver hook={delivery.webhook} />,
      }}
    />{' '}
    {delivery.status === 'pending' && (
      <Trans ns="deliveries" i18nKey="next_try" components={{ next: <Countdown delivery={delivery} /> }} />
    )}
  </>
)

const Attempts = ({ delivery }: { readonly delivery: Detail }) => {
  const { t: common } = useTranslation('delivery')
  const [wanted, choose] = useState<number>()
  const attempts = delivery.attempts.map(toAttempt)
  // A megabyte is not written again each time that something else has changed.
  const body = useMemo(() => JSON.stringify(delivery.request_payload), [delivery.request_payload])
  const chosen = attempts.find(({ number }) => number === wanted) ?? attempts.at(-1)
  const nextAt = delivery.status === 'pending' ? delivery.next_attempt_at : null
  return (
    <>
      {(attempts.length > 0 || nextAt !== null) && (
        <section className="stack">
          <h3>{common('attempts')}</h3>
          <AttemptCards attempts={attempts} chosen={chosen?.number} choose={choose} nextAt={nextAt} />
          {chosen !== undefined && <TimingBar timing={chosen.timing} totalMs={chosen.durationMs} />}
        </section>
      )}
      <Exchange attempts={attempts} chosen={chosen} url={delivery.webhook.target_url} body={body} />
    </>
  )
}
