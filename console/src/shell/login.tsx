import { useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useGo } from '#ui/go.ts'
import { Link } from '#ui/link.tsx'
import { PageTitle } from '#ui/page-title.tsx'
import { safeNext } from '#ui/safe-next.ts'
import { LoginForm } from './login-form.tsx'
import classes from './login.module.css'

/** Who one is, before anything is shown. */
export const Login = () => {
  const { t } = useTranslation('shell')
  const go = useGo()
  const search: { readonly next?: unknown } = useSearch({ strict: false })
  return (
    <main className={classes['login']}>
      <div className="stack">
        <PageTitle>{t('login.title')}</PageTitle>
        <LoginForm onDone={() => go.push(safeNext(search.next, '/'))} />
        <p>
          <Link to="/password/forgot">{t('login.forgot')}</Link>
        </p>
      </div>
    </main>
  )
}
