import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#api/api-error.ts'
import { call } from '#api/queries.ts'
import { Link } from '#ui/link.tsx'
import { PageTitle } from '#ui/page-title.tsx'
import classes from '../frame/frame.module.css'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { Refused } from '../parts/states.tsx'

/** The token of the link. It stands behind the `#`, which browsers send to nobody. */
const tokenOfLink = (): string => new URLSearchParams(location.hash.slice(1)).get('token') ?? ''

/** Sets a password by the link of a letter: a reset, or an invitation. */
export const SetPassword = () => {
  const { t } = useTranslation('shop')
  const [token] = useState(tokenOfLink)
  const [isDone, setIsDone] = useState(false)
  return (
    <main className={classes['alone']}>
      <div className="stack">
        <PageTitle>{t('password.title')}</PageTitle>
        {isDone && (
          <p role="status">
            {t('password.done')} <Link to="/shop/login">{t('login.submit')}</Link>
          </p>
        )}
        {!isDone && token !== '' && <PasswordForm token={token} onDone={() => setIsDone(true)} />}
        {token === '' && (
          <p role="alert">
            {t('password.no_token')} <Link to="/shop/password/forgot">{t('password.new_link')}</Link>
          </p>
        )}
      </div>
    </main>
  )
}

const PasswordForm = ({ token, onDone }: { readonly token: string; readonly onDone: () => void }) => {
  const { t } = useTranslation('shop')
  const [password, setPassword] = useState('')
  const setting = useMutation<unknown, ApiError>({
    mutationFn: () => call('post', '/api/v1/auth/password/reset/confirm', { body: { token, password } }),
    onSuccess: onDone,
  })
  const { error } = setting
  const wrong = error?.fields['password']
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        setting.mutate()
      }}
    >
      <Field
        label={t('password.new')}
        hint={t('password.rule')}
        type="password"
        autoComplete="new-password"
        required
        minLength={8}
        value={password}
        error={wrong}
        onChange={({ target }) => setPassword(target.value)}
      />
      {error?.code === 'link_invalid' ? (
        <p role="alert" className="text-bad">
          {t('password.old_link')} <Link to="/shop/password/forgot">{t('password.new_link')}</Link>
        </p>
      ) : (
        <Refused error={wrong === undefined ? error : null} />
      )}
      <Button kind="main" type="submit" isWide isBusy={setting.isPending}>
        {t('password.submit')}
      </Button>
    </form>
  )
}
