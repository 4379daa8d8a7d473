import { Checkbox } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import type { Schema } from '#api/types.ts'
import { Drawer } from '#ui/drawer.tsx'
import { FormEnd } from '#ui/form-end.tsx'
import { showErrors } from '#ui/show-errors.ts'
import { useGo } from '#ui/go.ts'
import type { AnyQuery } from '#ui/screen.ts'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import { divisions, toBody, UserFields, type UserForm } from './user-fields.tsx'

export const asks = (): readonly AnyQuery[] => [divisions]

const empty: UserForm = { email: '', first_name: '', last_name: '', access: 'none', division: null }

/** Makes a user, and writes to them with the link that sets their password. */
export const NewUserDrawer = () => {
  const { t } = useTranslation('users')
  const go = useGo()
  const [isInvited, setInvited] = useState(true)
  const making = useSend('post', '/api/v1/users')
  const inviting = useSend('post', '/api/v1/users/{id}/invite')
  const form = useForm({ initialValues: empty })
  const finish = ({ id, email }: Schema<'User'>): void => {
    go.replace(`/users/${id}`)
    if (!isInvited) {
      toastDone(t('made', { email }))
      return
    }
    inviting.mutate(
      { path: { id } },
      { onSuccess: () => toastDone(t('made_invited', { email })), onError: toastFailed },
    )
  }
  return (
    <Drawer closeTo="/users" title={t('new.title')} about={t('new.about')}>
      <form
        className="stack"
        onSubmit={form.onSubmit((values) =>
          making.mutate({ body: toBody(values) }, { onSuccess: finish, onError: showErrors(form) }),
        )}
      >
        <UserFields form={form} />
        <Checkbox
          label={t('new.invite')}
          description={t('new.invite_why')}
          checked={isInvited}
          onChange={(event) => setInvited(event.currentTarget.checked)}
        />
        <FormEnd form={form} submit={t(isInvited ? 'new.make_invite' : 'new.make')} loading={making.isPending} />
      </form>
    </Drawer>
  )
}
