import { useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useGo } from '#ui/go.ts'
import { Link } from '#ui/link.tsx'
import { PageTitle } from '#ui/page-title.tsx'
import { LoginForm } from './login-form.tsx'
import classes from './login.module.css'

/** Where the login leads: the page that was asked for, if it is one of ours. */
const safeNext = (next: unknown): string => (typeof next === 'string' && /^\/(?![/\\])/.test(next) ? next : '/')

/** Who one is, before anything is shown. */
export const Login = () => {
  const { t } = useTranslation('shell')
  const go = useGo()
  const search: { readonly next?: unknown } = useSearch({ strict: false })
  return (
    <main className={classes['login']}>
      <div className="stack">
        <PageTitle>{t('login.title')}</PageTitle>
        <LoginForm onDone={() => go.push(safeNext(search.next))} />
        <p>
          <Link to="/password/forgot">{t('login.forgot')}</Link>
        </p>
      </div>
    </main>
  )
}
