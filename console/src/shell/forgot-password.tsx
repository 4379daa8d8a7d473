import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#api/api-error.ts'
import { call } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { Link } from '#ui/link.tsx'
import { PageTitle } from '#ui/page-title.tsx'
import classes from './login.module.css'

/** Asks for a letter with a link that a new password is set by. */
export const ForgotPassword = () => {
  const { t } = useTranslation('shell')
  const form = useForm({ initialValues: { email: '' } })
  const asking = useMutation<unknown, ApiError, { email: string }>({
    mutationFn: (body) => call('post', '/api/v1/auth/password/reset', { body }),
    onError: ({ fields }) => form.setErrors(fields),
  })
  return (
    <main className={classes['login']}>
      <div className="stack">
        <PageTitle>{t('forgot.title')}</PageTitle>
        {asking.isSuccess ? (
          <p role="status">{t('forgot.sent', { email: form.values.email })}</p>
        ) : (
          <form className="stack" onSubmit={form.onSubmit((values) => asking.mutate(values))}>
            <p className="muted">{t('forgot.why')}</p>
            <TextInput
              label={t('login.username')}
              type="email"
              autoComplete="username"
              required
              {...form.getInputProps('email')}
            />
            {asking.error !== null && Object.keys(asking.error.fields).length === 0 && (
              <p role="alert" className="text-bad">
                {asking.error.message}
              </p>
            )}
            <Action main type="submit" fullWidth loading={asking.isPending}>
              {t('forgot.submit')}
            </Action>
          </form>
        )}
        <p>
          <Link to="/login">{t('forgot.back')}</Link>
        </p>
      </div>
    </main>
  )
}
