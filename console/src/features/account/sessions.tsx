import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { listOf, useSend } from '#api/queries.ts'
import type { RowOf } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import { agentName } from '#ui/agent-name.ts'
import { Failed, Skeleton } from '#ui/states.tsx'
import { Time } from '#ui/time.tsx'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import classes from './account.module.css'

type Session = RowOf<'/api/v1/auth/sessions'>

export const mySessions = listOf('/api/v1/auth/sessions', { query: { limit: 100 } })

/** Where somebody is logged in, and how to end that. */
export const Sessions = () => {
  const { t } = useTranslation('account')
  const { data, error } = useQuery(mySessions)
  const endingOthers = useSend('delete', '/api/v1/auth/sessions')
  if (error !== null && data === undefined) return <Failed error={error} />
  if (data === undefined) return <Skeleton lines={4} width="100%" />
  const others = data.rows.filter((session) => !session.is_current).length
  return (
    <>
      <div className={classes['scroll']}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t('sessions.with')}</th>
              <th scope="col">{t('sessions.address')}</th>
              <th scope="col">{t('sessions.since')}</th>
              <th scope="col">{t('sessions.used')}</th>
              <th scope="col">{t('sessions.end')}</th>
            </tr>
          </thead>
          <tbody>
            {data.rows.map((session) => (
              <SessionRow key={`${session.kind} ${session.id}`} session={session} />
            ))}
          </tbody>
        </table>
      </div>
      {others > 0 && (
        <div>
          <Action
            loading={endingOthers.isPending}
            onClick={() =>
              endingOthers.mutate({}, { onSuccess: () => toastDone(t('sessions.others_ended')), onError: toastFailed })
            }
          >
            {t('sessions.end_others', { count: others })}
          </Action>
        </div>
      )}
    </>
  )
}

const SessionRow = ({ session }: { readonly session: Session }) => {
  const { t } = useTranslation('account')
  const ending = useSend('delete', '/api/v1/auth/sessions/{id}')
  return (
    <tr>
      <td title={session.user_agent}>{agentName(session.user_agent) ?? t('sessions.unknown')}</td>
      <td className="mono">{session.address}</td>
      <td>
        <Time at={session.created_at} />
      </td>
      <td>
        <Time at={session.last_used_at} />
      </td>
      <td>
        {session.is_current ? (
          <span className="muted">{t('sessions.this')}</span>
        ) : (
          <Action
            variant="subtle"
            loading={ending.isPending}
            onClick={() => ending.mutate({ path: { id: session.id } }, { onError: toastFailed })}
          >
            {t('sessions.end')}
          </Action>
        )}
      </td>
    </tr>
  )
}
