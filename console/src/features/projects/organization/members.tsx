import { Select, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import type { Schema } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import { changesOf } from '#ui/changes.ts'
import { showErrors } from '#ui/show-errors.ts'
import { Failed, Skeleton } from '#ui/states.tsx'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import { Unsaved } from '#ui/unsaved.tsx'
import classes from '../projects.module.css'
import { roles, useRoleOff, type Role } from '../rights.ts'
import { membersOf, organization } from './organization-queries.ts'

type Member = Schema<'Member'>

const members = `${organization}/members` as const
const member = `${organization}/members/{userId}` as const

interface MembersProps {
  readonly organizationId: string
  readonly ownRole: Role
}

/** Who belongs to an organization, and with which role. */
export const Members = ({ organizationId, ownRole }: MembersProps) => {
  const { t } = useTranslation('projects')
  const off = useRoleOff(ownRole)('admin')
  const { data, error } = useQuery(membersOf(organizationId))
  if (error !== null && data === undefined) return <Failed error={error} />
  if (data === undefined) return <Skeleton lines={4} width="100%" />
  return (
    <>
      <div className={classes['scroll']}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t('field.name')}</th>
              <th scope="col" className="wide">
                {t('field.email')}
              </th>
              <th scope="col">{t('field.role')}</th>
              <th scope="col">{t('members.remove')}</th>
            </tr>
          </thead>
          <tbody>
            {data.rows.map((one) => (
              <MemberRow key={one.userId} organizationId={organizationId} member={one} off={off} />
            ))}
          </tbody>
        </table>
      </div>
      <AddMember organizationId={organizationId} off={off} />
    </>
  )
}

interface MemberRowProps {
  readonly organizationId: string
  readonly member: Member
  readonly off: string | undefined
}

const MemberRow = ({ organizationId, member: one, off }: MemberRowProps) => {
  const { t } = useTranslation('projects')
  const changing = useSend('patch', member)
  const removing = useSend('delete', member)
  const adding = useSend('post', members)
  const path = { organizationId, userId: String(one.userId) }
  const { email, role } = one
  const change = (next: Role, undo?: () => void): void =>
    changing.mutate(
      { path, body: { role: next } },
      {
        onSuccess: () => toastDone(t('members.changed', { email, role: t(`role.${next}`) }), undo),
        onError: toastFailed,
      },
    )
  const addAgain = (): void =>
    adding.mutate({ path: { organizationId }, body: { email, role } }, { onError: toastFailed })
  return (
    <tr>
      <td>{`${one.firstName} ${one.lastName}`.trim() || email}</td>
      <td className="wide muted">{email}</td>
      <td>
        <Select
          aria-label={t('members.role_of', { email })}
          value={role}
          disabled={off !== undefined || changing.isPending}
          allowDeselect={false}
          data={roles.map((value) => ({ value, label: t(`role.${value}`) }))}
          onChange={(next) => next !== null && next !== role && change(next, () => change(role))}
        />
      </td>
      <td>
        <Action
          variant="subtle"
          off={off}
          loading={removing.isPending}
          onClick={() =>
            removing.mutate(
              { path },
              { onSuccess: () => toastDone(t('members.removed', { email }), addAgain), onError: toastFailed },
            )
          }
        >
          {t('members.remove')}
        </Action>
      </td>
    </tr>
  )
}

interface NewMember {
  readonly email: string
  readonly role: Role
}

const noMember: NewMember = { email: '', role: 'developer' }

const AddMember = ({ organizationId, off }: Omit<MemberRowProps, 'member'>) => {
  const { t } = useTranslation('projects')
  const adding = useSend('post', members)
  const form = useForm({ initialValues: noMember })
  const add = (body: NewMember): void =>
    adding.mutate({ path: { organizationId }, body }, { onSuccess: () => form.reset(), onError: showErrors(form) })
  return (
    <form className={classes['add']} onSubmit={form.onSubmit(add)}>
      <TextInput
        label={t('members.email')}
        type="email"
        required
        autoComplete="off"
        disabled={off !== undefined}
        {...form.getInputProps('email')}
      />
      <Select
        label={t('field.role')}
        allowDeselect={false}
        disabled={off !== undefined}
        data={roles.map((value) => ({ value, label: t(`role.${value}`) }))}
        {...form.getInputProps('role')}
      />
      <Action type="submit" off={off} loading={adding.isPending}>
        {t('members.add')}
      </Action>
      <Unsaved changes={changesOf(form)} />
    </form>
  )
}
