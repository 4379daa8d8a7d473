import { useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useGo } from '#ui/go.ts'
import { Link } from '#ui/link.tsx'
import { PageTitle } from '#ui/page-title.tsx'
import { safeNext } from '#ui/safe-next.ts'
import classes from '../frame/frame.module.css'
import { LoginForm } from './login-form.tsx'

/** Who one is, before anything is shown. */
export const Login = () => {
  const { t } = useTranslation('shop')
  const go = useGo()
  const search: { readonly next?: unknown } = useSearch({ strict: false })
  return (
    <main className={classes['alone']}>
      <div className="stack">
        <PageTitle>{t('login.title')}</PageTitle>
        <LoginForm onDone={() => go.replace(safeNext(search.next, '/shop'))} />
        <p>
          <Link to="/shop/password/forgot">{t('login.forgot')}</Link>
        </p>
      </div>
    </main>
  )
}
