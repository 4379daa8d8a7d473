import { useTranslation } from 'react-i18next'
import { isBackOffice, useMe } from '#api/session.ts'
import { PageTitle } from '#ui/page-title.tsx'
import { LogOut } from '../account/log-out.tsx'
import classes from './frame.module.css'

/** Whoever belongs to no company that buys has nothing here: where they work instead. */
export const Stranger = () => {
  const { t } = useTranslation('shop')
  const me = useMe()
  return (
    <main className={classes['alone']}>
      <div className="stack">
        <PageTitle>{t('stranger.title')}</PageTitle>
        <p>{t('stranger.why', { email: me.email })}</p>
        {isBackOffice(me) && (
          <p>
            {/* Another page, and not one of the router's. */}
            <a href="/">{t('stranger.console')}</a>
          </p>
        )}
        <LogOut />
      </div>
    </main>
  )
}
