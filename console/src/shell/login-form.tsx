import { PasswordInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#api/api-error.ts'
import { logIn, session, type Me } from '#api/session.ts'
import { Action } from '#ui/action.tsx'
import { speakTo } from '#ui/texts/speak-to.ts'

interface LoginFormProps {
  /** Who was logged in before, if anybody. */
  readonly username?: string
  readonly onDone: (me: Me) => void
}

/** Name and password, and the session that they begin. */
export const LoginForm = ({ username = '', onDone }: LoginFormProps) => {
  const { t } = useTranslation('shell')
  const queries = useQueryClient()
  const form = useForm({ initialValues: { username, password: '' } })
  const logging = useMutation<Me, ApiError, { username: string; password: string }>({
    mutationFn: (values) => logIn(values.username, values.password),
    onSuccess: async (me) => {
      await speakTo(me)
      queries.setQueryData(session.queryKey, me)
      onDone(me)
    },
  })
  return (
    <form className="stack" onSubmit={form.onSubmit((values) => logging.mutate(values))}>
      <TextInput
        label={t('login.username')}
        autoComplete="username"
        required
        data-autofocus={username === '' || undefined}
        {...form.getInputProps('username')}
      />
      <PasswordInput
        label={t('login.password')}
        autoComplete="current-password"
        required
        data-autofocus={username !== '' || undefined}
        visibilityToggleButtonProps={{ 'aria-label': t('login.show') }}
        {...form.getInputProps('password')}
      />
      {logging.error !== null && (
        <p role="alert" className="text-bad">
          {logging.error.message}
        </p>
      )}
      <Action main type="submit" fullWidth loading={logging.isPending}>
        {t('login.submit')}
      </Action>
    </form>
  )
}
