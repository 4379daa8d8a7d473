import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { recordOf, useSend } from '#api/queries.ts'
import { useMe } from '#api/session.ts'
import type { Schema } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import { Drawer } from '#ui/drawer.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { formatMoment } from '#ui/texts/format.ts'
import { Link } from '#ui/link.tsx'
import { Status } from '#ui/status.tsx'
import { Time } from '#ui/time.tsx'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import { useIdParam } from '#ui/use-params.ts'
import { roleOf } from './access.ts'
import { EditUser } from './edit-user.tsx'
import { divisions } from './user-fields.tsx'
import { sessionsOf, UserSessions } from './user-sessions.tsx'

type User = Schema<'User'>

const userOf = (id: number) => recordOf('/api/v1/users/{id}', { path: { id } })

export const asks = ({ params }: Address): readonly AnyQuery[] => {
  const id = Number(params['id'])
  return [userOf(id), sessionsOf(id), divisions]
}

/** One user: who they are, what they may do, where they are logged in. */
export const UserDrawer = () => {
  const { t } = useTranslation('users')
  const { data: user, error } = useQuery(userOf(useIdParam()))
  return (
    <Drawer
      closeTo="/users"
      title={user?.email}
      about={user === undefined ? undefined : t(roleOf(user))}
      actions={user === undefined ? undefined : <Actions user={user} />}
      error={error}
    >
      {user !== undefined && (
        <>
          <Facts user={user} />
          <EditUser key={user.id} user={user} />
          <section className="stack">
            <h3>{t('sessions.title')}</h3>
            <UserSessions id={user.id} />
          </section>
        </>
      )}
    </Drawer>
  )
}

const Actions = ({ user }: { readonly user: User }) => {
  const { t } = useTranslation('users')
  const me = useMe()
  const inviting = useSend('post', '/api/v1/users/{id}/invite')
  const switching = useSend('patch', '/api/v1/users/{id}')
  const path = { id: user.id }
  const { email, is_active: isActive } = user
  const turn = (next: boolean): void =>
    switching.mutate(
      { path, body: { is_active: next } },
      {
        onSuccess: () => toastDone(t(next ? 'switched_on' : 'switched_off', { email }), () => turn(!next)),
        onError: toastFailed,
      },
    )
  const invited = (expires: string): void => {
    toastDone(t('invited', { email, until: formatMoment(new Date(expires)) }))
  }
  return (
    <>
      <Action
        loading={inviting.isPending}
        off={isActive ? undefined : t('off.invite')}
        onClick={() =>
          inviting.mutate({ path }, { onSuccess: (answer) => invited(answer.expires_at), onError: toastFailed })
        }
      >
        {t('invite')}
      </Action>
      <Action
        loading={switching.isPending}
        off={user.id === me.id ? t('off.self') : undefined}
        onClick={() => turn(!isActive)}
      >
        {t(isActive ? 'switch_off' : 'switch_on')}
      </Action>
    </>
  )
}

const Facts = ({ user }: { readonly user: User }) => {
  const { t } = useTranslation('users')
  return (
    <dl className="facts">
      <dt>{t('field.state')}</dt>
      <dd>
        <Status outcome={user.is_active ? 'ok' : 'idle'}>
          {t(user.is_active ? 'state.active' : 'state.inactive')}
        </Status>
      </dd>
      <dt>{t('field.created_at')}</dt>
      <dd>
        <Time at={user.created_at} as="moment" />
      </dd>
      <dt>{t('done')}</dt>
      <dd>
        <Link to={`/audit?user=${user.id}`}>{t('done_by')}</Link> ·{' '}
        <Link to={`/audit?object_type=users&object_id=${user.id}`}>{t('done_to')}</Link>
      </dd>
    </dl>
  )
}
