import { Modal } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { wakeLive } from '#api/live.ts'
import { session } from '#api/session.ts'
import { leavePage } from '#ui/leave-page.ts'
import { LoginForm } from './login-form.tsx'
import { forgetPlaces } from './palette/recent-places.ts'

/** When the session ends in the middle of work: a login over the page, which keeps what was typed. */
export const SessionDialog = () => {
  const { t } = useTranslation('shell')
  const queries = useQueryClient()
  const { data: me, error } = useQuery(session)
  if (me === undefined) return null
  return (
    <Modal
      opened={error?.status === 401}
      // Nothing on the page works without a session.
      onClose={() => undefined}
      withCloseButton={false}
      title={t('login.again')}
    >
      <div className="stack">
        <p className="muted">{t('login.again_why')}</p>
        <LoginForm
          username={me.email}
          onDone={(next) => {
            // What is on the page is somebody else's.
            if (next.id !== me.id) {
              forgetPlaces()
              return leavePage('/')
            }
            wakeLive()
            void queries.invalidateQueries()
          }}
        />
      </div>
    </Modal>
  )
}
