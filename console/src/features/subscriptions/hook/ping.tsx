import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { recordOf, useSend } from '#api/queries.ts'
import { useEventCatalogue } from '#api/event-catalogue.ts'
import type { Schema } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import { toastFailed } from '#ui/toast.tsx'
import { FirstAnswer } from '../receiver/first-answer.tsx'
import { covers } from './events-part.tsx'
import { eventsOf } from './hook-form.ts'

interface PingProps {
  readonly hook: Schema<'Hook'>
  readonly main?: boolean
}

/** Sends the example of one of its events to a hook, and shows what came back as soon as it is there. */
export const Ping = ({ hook, main = false }: PingProps) => {
  const { t } = useTranslation('subscriptions')
  const [type, setType] = useState<string | null>(null)
  const ping = useSend('post', '/whisperer/hooks/{id}/ping')
  const heard = useHeard(hook)
  const send = (): void =>
    ping.mutate(
      { path: { id: hook.id }, ...(type !== null && { body: { event_type: type } }) },
      { onError: toastFailed },
    )
  return (
    <div className="stack">
      <p className="muted">{t('ping.why')}</p>
      <div className="flex wrap" style={{ alignItems: 'flex-end' }}>
        {heard.length > 1 && (
          <Select
            aria-label={t('ping.type')}
            placeholder={heard[0] ?? ''}
            data={[...heard]}
            value={type}
            onChange={setType}
            clearable
            searchable
          />
        )}
        <Action main={main} loading={ping.isPending} off={hook.is_active ? undefined : t('ping.off')} onClick={send}>
          {t('ping.send')}
        </Action>
      </div>
      <div aria-live="polite">{ping.data !== undefined && <Answered delivery={ping.data.hook_event} />}</div>
    </div>
  )
}

/** Names of the events that a hook listens to, its patterns written out. */
const useHeard = (hook: Schema<'Hook'>): readonly string[] => {
  const { events } = useEventCatalogue()
  const chosen = eventsOf(hook)
  return (events ?? [])
    .map(({ name }) => name)
    .filter((name) => chosen.some((one) => one === name || covers(one, name)))
}

const hurryMs = 400

/** What became of the first attempt. */
const Answered = ({ delivery: id }: { readonly delivery: number }) => {
  const { data } = useQuery({
    ...recordOf('/whisperer/hook_events/{id}', { path: { id } }),
    refetchInterval: ({ state }) => (state.data?.attempts.some((one) => one.duration_ms !== null) ? false : hurryMs),
  })
  const attempt = data?.attempts.findLast((one) => one.duration_ms !== null)
  return (
    <FirstAnswer
      to={`/deliveries/${id}`}
      of={
        attempt && {
          isDelivered: attempt.outcome === 'delivered',
          status: attempt.response_http_status,
          reason: attempt.reason,
          durationMs: attempt.duration_ms,
          detail: attempt.detail,
          body: attempt.response_content,
        }
      }
    />
  )
}
