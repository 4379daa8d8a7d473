import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { listOf, useSend } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { agentName } from '#ui/agent-name.ts'
import { Failed, Skeleton } from '#ui/states.tsx'
import { Time } from '#ui/time.tsx'
import { toastDone, toastFailed } from '#ui/toast.tsx'

export const sessionsOf = (id: number) =>
  listOf('/api/v1/users/{id}/sessions', { path: { id }, query: { limit: 20, ordering: '-created_at' } })

/** Where a user is logged in, and how to end that. */
export const UserSessions = ({ id }: { readonly id: number }) => {
  const { t } = useTranslation('users')
  const { data, error } = useQuery(sessionsOf(id))
  const endingAll = useSend('delete', '/api/v1/users/{id}/sessions')
  const ending = useSend('delete', '/api/v1/users/{id}/sessions/{session}')
  if (error !== null && data === undefined) return <Failed error={error} />
  if (data === undefined) return <Skeleton lines={3} width="100%" />
  if (data.total === 0) return <p className="muted">{t('sessions.none')}</p>
  return (
    <>
      <ul className="stack">
        {data.rows.map((session) => (
          <li key={`${session.kind} ${session.id}`} className="flex between">
            <div className="grow">
              <div className="cut" title={session.user_agent}>
                {agentName(session.user_agent) ?? t('sessions.unknown')}
              </div>
              <div className="small muted">
                <span className="mono">{session.address}</span> · {t('sessions.used')}{' '}
                <Time at={session.last_used_at} />
              </div>
            </div>
            <Action
              variant="subtle"
              off={session.is_current ? t('sessions.this') : undefined}
              onClick={() => ending.mutate({ path: { id, session: session.id } }, { onError: toastFailed })}
            >
              {t('sessions.end')}
            </Action>
          </li>
        ))}
      </ul>
      <div>
        <Action
          loading={endingAll.isPending}
          onClick={() =>
            endingAll.mutate(
              { path: { id } },
              { onSuccess: () => toastDone(t('sessions.ended', { count: data.total })), onError: toastFailed },
            )
          }
        >
          {t('sessions.end_all', { count: data.total })}
        </Action>
      </div>
    </>
  )
}
