import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import type { Schema } from '#api/types.ts'
import { FormEnd } from '#ui/form-end.tsx'
import { showErrors } from '#ui/show-errors.ts'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import { accessOf } from './access.ts'
import { toBody, UserFields, type UserForm } from './user-fields.tsx'

type User = Schema<'User'>

/** Who somebody is and what they may do. A change can be taken back. */
export const EditUser = ({ user }: { readonly user: User }) => {
  const { t } = useTranslation('users')
  const { t: common } = useTranslation('texts')
  const saving = useSend('patch', '/api/v1/users/{id}')
  const path = { id: user.id }
  const before = formOf(user)
  const form = useForm({ initialValues: before })
  const undo = (): void => {
    form.setValues(before)
    form.resetDirty(before)
    saving.mutate({ path, body: toBody(before) }, { onError: toastFailed })
  }
  const save = (values: UserForm): void =>
    saving.mutate(
      { path, body: toBody(values) },
      {
        onSuccess: () => {
          form.resetDirty(values)
          toastDone(t('saved', { email: values.email }), undo)
        },
        onError: showErrors(form),
      },
    )
  return (
    <form className="stack" onSubmit={form.onSubmit(save)}>
      <UserFields form={form} />
      <FormEnd
        form={form}
        submit={common('save')}
        loading={saving.isPending}
        off={form.isDirty() ? undefined : t('unchanged')}
      />
    </form>
  )
}

const formOf = ({ email, first_name, last_name, division, ...user }: User): UserForm => ({
  email,
  first_name,
  last_name,
  access: accessOf(user),
  division: division === null ? null : String(division),
})
