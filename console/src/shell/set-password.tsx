import { PasswordInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#api/api-error.ts'
import { call } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { Link } from '#ui/link.tsx'
import { PageTitle } from '#ui/page-title.tsx'
import classes from './login.module.css'

/** The token of the link. It stands behind the `#`, which browsers send to nobody. */
const tokenOfLink = (): string => new URLSearchParams(location.hash.slice(1)).get('token') ?? ''

/** Sets a password by the link of a letter: a reset, or an invitation. */
export const SetPassword = () => {
  const { t } = useTranslation('shell')
  const [token] = useState(tokenOfLink)
  const setting = useMutation<unknown, ApiError, { password: string }>({
    mutationFn: ({ password }) => call('post', '/api/v1/auth/password/reset/confirm', { body: { token, password } }),
  })
  return (
    <main className={classes['login']}>
      <div className="stack">
        <PageTitle>{t('password.title')}</PageTitle>
        {setting.isSuccess && (
          <p role="status">
            {t('password.done')} <Link to="/login">{t('password.log_in')}</Link>
          </p>
        )}
        {token === '' && (
          <p role="alert">
            {t('password.no_token')} <Link to="/password/forgot">{t('password.new_link')}</Link>
          </p>
        )}
        {token !== '' && !setting.isSuccess && (
          <PasswordForm error={setting.error} isPending={setting.isPending} onSubmit={setting.mutate} />
        )}
      </div>
    </main>
  )
}

interface PasswordFormProps {
  readonly error: ApiError | null
  readonly isPending: boolean
  readonly onSubmit: (values: { password: string }) => void
}

const PasswordForm = ({ error, isPending, onSubmit }: PasswordFormProps) => {
  const { t } = useTranslation('shell')
  const form = useForm({ initialValues: { password: '' } })
  const isLinkOld = error?.code === 'link_invalid'
  return (
    <form className="stack" onSubmit={form.onSubmit(onSubmit)}>
      <PasswordInput
        label={t('password.new')}
        description={t('password.rule')}
        autoComplete="new-password"
        required
        minLength={8}
        visibilityToggleButtonProps={{ 'aria-label': t('login.show') }}
        {...form.getInputProps('password')}
        error={error?.fields['password']}
      />
      {error !== null && error.fields['password'] === undefined && (
        <p role="alert" className="text-bad">
          {isLinkOld ? t('password.old_link') : error.message}{' '}
          {isLinkOld && <Link to="/password/forgot">{t('password.new_link')}</Link>}
        </p>
      )}
      <Action main type="submit" fullWidth loading={isPending}>
        {t('password.submit')}
      </Action>
    </form>
  )
}
