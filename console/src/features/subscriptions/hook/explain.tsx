import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { recordOf } from '#api/queries.ts'
import type { Schema } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import { Link } from '#ui/link.tsx'
import { Notice } from '#ui/notice.tsx'
import type { Outcome } from '#ui/status.tsx'

/** Says why an event came to a hook, or why it did not. */
export const Explain = ({ hook: id }: { readonly hook: number }) => {
  const { t } = useTranslation('subscriptions')
  const [typed, type] = useState('')
  const [event, ask] = useState<number>()
  const asked = recordOf('/whisperer/hooks/{id}/explain', { path: { id }, query: { event: event ?? 0 } })
  const { data, error } = useQuery({ ...asked, enabled: event !== undefined })
  return (
    <section className="stack">
      <h2>{t('explain.title')}</h2>
      <form
        className="flex wrap"
        style={{ alignItems: 'flex-end' }}
        onSubmit={(submitted) => {
          submitted.preventDefault()
          ask(Number(typed))
        }}
      >
        <TextInput
          label={t('explain.event')}
          inputMode="numeric"
          value={typed}
          onChange={(changed) => type(changed.currentTarget.value.trim())}
        />
        <Action type="submit" off={/^[1-9]\d*$/.test(typed) ? undefined : t('explain.number')}>
          {t('explain.submit')}
        </Action>
      </form>
      <p className="small">
        <Link to="/events">{t('explain.find')}</Link>
      </p>
      <div aria-live="polite" className="stack">
        {error !== null && <p className="text-bad">{error.message}</p>}
        {event !== undefined &&
          data?.map((one) => (
            <Notice key={one.event} outcome={outcomeOf(one.verdict)} title={one.event_type ?? String(one.event)}>
              <p>{one.summary}</p>
              {one.advice !== null && <p>{one.advice}</p>}
              {one.hook_event !== null && <Link to={`/deliveries/${one.hook_event}`}>{t('ping.delivery')}</Link>}
            </Notice>
          ))}
      </div>
    </section>
  )
}

const outcomeOf = (verdict: Schema<'Explanation'>['verdict']): Outcome => {
  if (verdict === 'delivered') return 'ok'
  return verdict === 'failed' ? 'bad' : 'wait'
}
