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

/** Asks for a letter with a link that a new password is set by. */
export const ForgotPassword = () => {
  const { t } = useTranslation('shop')
  const [email, setEmail] = useState('')
  const asking = useMutation<unknown, ApiError>({
    mutationFn: () => call('post', '/api/v1/auth/password/reset', { body: { email } }),
  })
  const wrong = asking.error?.fields['email']
  return (
    <main className={classes['alone']}>
      <div className="stack">
        <PageTitle>{t('forgot.title')}</PageTitle>
        {asking.isSuccess ? (
          <p role="status">{t('forgot.sent', { email })}</p>
        ) : (
          <form
            className="stack"
            onSubmit={(event) => {
              event.preventDefault()
              asking.mutate()
            }}
          >
            <p className="muted">{t('forgot.why')}</p>
            <Field
              label={t('login.email')}
              type="email"
              autoComplete="username"
              required
              value={email}
              error={wrong}
              onChange={({ target }) => setEmail(target.value)}
            />
            <Refused error={wrong === undefined ? asking.error : null} />
            <Button kind="main" type="submit" isWide isBusy={asking.isPending}>
              {t('forgot.submit')}
            </Button>
          </form>
        )}
        <p>
          <Link to="/shop/login">{t('forgot.back')}</Link>
        </p>
      </div>
    </main>
  )
}
