import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '#api/queries.ts'
import { ApiError } from '#api/api-error.ts'
import type { Schema } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import { Link } from '#ui/link.tsx'
import { Status } from '#ui/status.tsx'
import { Time } from '#ui/time.tsx'
import { conflictOf, toFilter } from './conditions.ts'
import type { HookForm } from './hook-form.ts'
import classes from './hook.module.css'

type Result = Schema<'HookTrialResult'>

/** Tries events and filter on what has happened, before anything is saved: how much would have been sent, and why the rest not. */
export const Trial = ({ form }: { readonly form: HookForm }) => {
  const { t } = useTranslation('subscriptions')
  const [state, set] = useState<{ result?: Result; error?: ApiError; of?: string; isPending?: boolean }>({})
  const filter = toFilter(form.conditions)
  const asked = JSON.stringify([form.events, filter])
  const run = async (): Promise<void> => {
    set({ isPending: true })
    try {
      const body = { event_type: [...form.events], ...(filter !== undefined && { filter }) }
      set({ result: await call('post', '/whisperer/hooks/try', { body }), of: asked })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      set({ error })
    }
  }
  return (
    <div className={`stack ${classes['trial']}`}>
      <div className="flex wrap">
        <Action off={whyNot(form, t)} loading={state.isPending ?? false} onClick={() => void run()}>
          {t('trial.run')}
        </Action>
        <span className="muted small">{t('trial.why')}</span>
      </div>
      <div aria-live="polite" className="stack">
        {state.error !== undefined && <p className="text-bad">{state.error.message}</p>}
        {state.result !== undefined && state.of !== asked && <p className="muted">{t('trial.old')}</p>}
        {state.result !== undefined && state.of === asked && <Outcome result={state.result} />}
      </div>
    </div>
  )
}

type Translate = ReturnType<typeof useTranslation<'subscriptions'>>['t']

const whyNot = ({ events, conditions }: HookForm, t: Translate): string | undefined => {
  if (events.length === 0) return t('trial.events_first')
  return conflictOf(conditions) === undefined ? undefined : t('trial.conflict_first')
}

const Outcome = ({ result: { tried, matched, events } }: { readonly result: Result }) => {
  const { t } = useTranslation('subscriptions')
  if (tried === 0) return <p className="muted">{t('trial.nothing')}</p>
  return (
    <>
      <p className="strong">{t('trial.outcome', { matched, count: tried })}</p>
      <ul className={classes['tried']}>
        {events.map((event) => (
          <li key={event.event}>
            <Status outcome={event.is_match ? 'ok' : 'idle'}>
              {t(event.is_match ? 'trial.sent' : 'trial.left_out')}
            </Status>
            <Link to={`/events/${event.event}`} target="_blank">
              <code>{event.event_type}</code>
            </Link>
            <span>{event.object_id === null ? '' : `${event.object_type} ${event.object_id}`}</span>
            <span className="muted">
              <Time at={event.occurred_at} />
            </span>
            {event.unmet_conditions.length > 0 && (
              <span className="small">
                {t('trial.unmet')} <code>{event.unmet_conditions.join(', ')}</code>
              </span>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
