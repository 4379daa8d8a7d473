import { useQuery } from '@tanstack/react-query'
import { Trans, useTranslation } from 'react-i18next'
import { recordOf } from '#api/queries.ts'
import type { Schema } from '#api/types.ts'
import { deliveryOutcomes } from '#ui/delivery/outcomes.ts'
import { EventObject } from '#ui/event-object.tsx'
import { Ident } from '#ui/copy.tsx'
import { Drawer } from '#ui/drawer.tsx'
import { JsonView } from '#ui/json-view.tsx'
import { Link } from '#ui/link.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { Status } from '#ui/status.tsx'
import { Time } from '#ui/time.tsx'
import { useIdParam } from '#ui/use-params.ts'
import classes from './events.module.css'

type EventHook = Schema<'EventHook'>
type Detail = Schema<'LoggedEventDetail'>

const eventOf = (id: number) => recordOf('/api/v1/events/{id}', { path: { id } })

export const asks = ({ params }: Address): readonly AnyQuery[] => [eventOf(Number(params['id']))]

/** One event: its data, who got it, and why the others did not. */
export const EventDrawer = () => {
  const { t } = useTranslation('events')
  const { data: event, error } = useQuery(eventOf(useIdParam()))
  if (event === undefined) return <Drawer closeTo="/events" title={undefined} error={error} />
  return (
    <Drawer
      closeTo="/events"
      ident={<Ident id={event.id} />}
      title={titleOf(event, t)}
      about={<AboutLine of={event} />}
    >
      <section className="stack">
        <h3>{t('hooks')}</h3>
        {event.hooks.length === 0 ? (
          <p className="muted">{t('no_hooks')}</p>
        ) : (
          <ul className={classes['hooks']}>
            {event.hooks.map((hook) => (
              <HookLine key={hook.hook} hook={hook} />
            ))}
          </ul>
        )}
        {event.hooks_left_out > 0 && <p className="muted">{t('left_out', { count: event.hooks_left_out })}</p>}
      </section>
      <section className="stack">
        <h3>{t('data')}</h3>
        <JsonView text={JSON.stringify(event.data)} label={t('data')} />
      </section>
    </Drawer>
  )
}

type Translate = ReturnType<typeof useTranslation<'events'>>['t']

/** How many hooks got it, of those that were meant to. */
const titleOf = ({ hooks }: Detail, t: Translate): string => {
  const sent = hooks.filter(({ hook_event: delivery }) => delivery !== null)
  if (sent.length === 0) return t('sentence.none')
  const arrived = sent.filter(({ status }) => status === 'delivered').length
  return arrived === sent.length
    ? t('sentence.all', { count: arrived })
    : t('sentence.some', { arrived, count: sent.length })
}

const AboutLine = ({ of: event }: { readonly of: Detail }) => (
  <Trans
    ns="events"
    i18nKey={event.object_id === null ? 'about_line_bare' : 'about_line'}
    components={{
      type: <code>{event.type}</code>,
      about: <EventObject of={event} />,
      at: <Time at={event.occurred_at} as="moment" />,
    }}
  />
)

/** One hook: what became of the event there, or why it did not come. */
const HookLine = ({
  hook: { hook, hook_event: delivery, status, verdict, summary, unmet_conditions: unmet },
}: {
  readonly hook: EventHook
}) => {
  const { t } = useTranslation('events')
  return (
    <li>
      <div className="flex between">
        <Link to={`/hooks/${hook}`}>{t('hook', { hook })}</Link>
        <Status outcome={status === null ? 'idle' : deliveryOutcomes[status]}>
          {status === null
            ? t(`verdict.${verdict ?? 'none'}`, { defaultValue: t('verdict.none') })
            : t(`status.${status}`)}
        </Status>
      </div>
      {summary !== null && <p className="small muted">{summary}</p>}
      {unmet.length > 0 && (
        <p className="small">
          {t('unmet')} <code>{unmet.join(', ')}</code>
        </p>
      )}
      {delivery !== null && (
        <Link className="small" to={`/deliveries/${delivery}`}>
          {t('delivery')}
        </Link>
      )}
    </li>
  )
}
