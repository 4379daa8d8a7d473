import { PasswordInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { changesOf } from '#ui/changes.ts'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import { Unsaved } from '#ui/unsaved.tsx'

/** A new password; it ends every other session. */
export const PasswordForm = () => {
  const { t } = useTranslation('account')
  const saving = useSend('patch', '/api/v1/auth/me')
  const form = useForm({ initialValues: { current_password: '', password: '' } })
  const save = (body: typeof form.values): void =>
    saving.mutate(
      { body },
      {
        onSuccess: () => {
          form.reset()
          toastDone(t('password.saved'))
        },
        onError: (error) => {
          form.setErrors(error.fields)
          if (Object.keys(error.fields).length === 0) toastFailed(error)
        },
      },
    )
  const show = { 'aria-label': t('password.show') }
  return (
    <form className="stack" onSubmit={form.onSubmit(save)}>
      <PasswordInput
        label={t('password.current')}
        autoComplete="current-password"
        required
        visibilityToggleButtonProps={show}
        {...form.getInputProps('current_password')}
      />
      <PasswordInput
        label={t('password.new')}
        description={t('password.rule')}
        autoComplete="new-password"
        required
        minLength={8}
        visibilityToggleButtonProps={show}
        {...form.getInputProps('password')}
      />
      <div>
        <Action type="submit" loading={saving.isPending}>
          {t('password.save')}
        </Action>
      </div>
      <Unsaved changes={changesOf(form)} />
    </form>
  )
}
