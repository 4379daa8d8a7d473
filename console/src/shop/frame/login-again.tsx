import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { wakeLive } from '#api/live.ts'
import { session } from '#api/session.ts'
import { leavePage } from '#ui/leave-page.ts'
import { LoginForm } from '../login/login-form.tsx'
import { Sheet } from '../parts/sheet.tsx'

/** When the session ends in the middle of something: a login over the page, which keeps what was typed. */
export const LoginAgain = () => {
  const { t } = useTranslation('shop')
  const queries = useQueryClient()
  const { data: me, error } = useQuery(session)
  if (me === undefined || error?.status !== 401) return null
  return (
    // Nothing on the page works without a session, so it is not closed.
    <Sheet title={t('login.again')} onClose={() => undefined}>
      <p className="muted">{t('login.again_why')}</p>
      <LoginForm
        username={me.email}
        onDone={(next) => {
          // What is on the page is somebody else's.
          if (next.id !== me.id) return leavePage('/shop')
          wakeLive()
          void queries.invalidateQueries()
        }}
      />
    </Sheet>
  )
}
