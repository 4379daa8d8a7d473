import { Outlet } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Skeleton } from '#ui/states.tsx'
import { Announcer } from './announcer.tsx'
import { Bar } from './bar.tsx'
import { Rail } from './rail.tsx'
import { SessionDialog } from './session-dialog.tsx'
import { Silence } from './silence.tsx'
import classes from './frame.module.css'

/** The rail, the bar and the page between them. */
export const Frame = () => {
  const { t } = useTranslation('shell')
  return (
    <div className={classes['app']}>
      <a href="#page" className={classes['skip']}>
        {t('skip')}
      </a>
      <Rail />
      <div className={classes['column']}>
        <Bar />
        <Silence />
        <main id="page" tabIndex={-1}>
          <Suspense
            fallback={
              <div className={classes['pending']}>
                <Skeleton lines={12} width="100%" />
              </div>
            }
          >
            <Outlet />
          </Suspense>
        </main>
      </div>
      <Announcer />
      <SessionDialog />
    </div>
  )
}
