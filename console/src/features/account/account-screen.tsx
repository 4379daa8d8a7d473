import { useTranslation } from 'react-i18next'
import { useMe } from '#api/session.ts'
import type { AnyQuery } from '#ui/screen.ts'
import { Page } from '#ui/page.tsx'
import { PasswordForm } from './password-form.tsx'
import { ProfileForm } from './profile-form.tsx'
import { mySessions, Sessions } from './sessions.tsx'
import classes from './account.module.css'

export const asks = (): readonly AnyQuery[] => [mySessions]

/** What people change of themselves, and where they are logged in. */
export const AccountScreen = () => {
  const { t } = useTranslation('account')
  const me = useMe()
  return (
    <Page title={t('title')} about={me.email} request={{ url: '/api/v1/auth/me' }}>
      <div className={classes['account']}>
        <section className="stack">
          <h2>{t('profile.title')}</h2>
          <ProfileForm />
        </section>
        <section className="stack">
          <h2>{t('password.title')}</h2>
          <PasswordForm />
        </section>
        <section className={`stack ${classes['all']}`}>
          <h2>{t('sessions.title')}</h2>
          <p className="muted">{t('sessions.why')}</p>
          <Sessions />
        </section>
      </div>
    </Page>
  )
}
