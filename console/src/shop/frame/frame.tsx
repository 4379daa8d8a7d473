import { Outlet } from '@tanstack/react-router'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { startLive } from '#api/live.ts'
import { keepFresh } from '#api/live/stale-queries.ts'
import { session } from '#api/session.ts'
import { Link } from '#ui/link.tsx'
import { Skeleton } from '../parts/states.tsx'
import { useBuyer } from '../queries.ts'
import { Announcer } from './announcer.tsx'
import { LoginAgain } from './login-again.tsx'
import { Menu } from './menu.tsx'
import { Silence } from './silence.tsx'
import { Stranger } from './stranger.tsx'
import classes from './frame.module.css'

/** The head of every page with its menu, which is at the thumb on a phone. */
export const Frame = () => {
  const { t } = useTranslation('shop')
  const queries = useQueryClient()
  useEffect(() => {
    const ends = [startLive(() => void queries.invalidateQueries({ queryKey: session.queryKey })), keepFresh(queries)]
    return () => {
      for (const end of ends) end()
    }
  }, [queries])
  const { me, division } = useBuyer()
  if (me.division === null) return <Stranger />
  return (
    <>
      <a href="#page" className={classes['skip']}>
        {t('skip')}
      </a>
      <header className={classes['head']} data-screen-only>
        <Link to="/shop" className={classes['brand']}>
          {t('shop')}
        </Link>
        <Menu />
        <Link to="/shop/account" className={classes['account']}>
          {division?.name ?? me.email}
        </Link>
      </header>
      <Silence />
      <main id="page" tabIndex={-1} className={classes['page']}>
        <Suspense fallback={<Skeleton rows={6} />}>
          <Outlet />
        </Suspense>
      </main>
      <Announcer />
      <LoginAgain />
    </>
  )
}
