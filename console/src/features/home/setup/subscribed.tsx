import { Trans, useTranslation } from 'react-i18next'
import type { RowOf } from '#api/types.ts'
import { CopyText } from '#ui/copy.tsx'
import { Link } from '#ui/link.tsx'

interface SubscribedProps {
  readonly hook: RowOf<'/whisperer/hooks'>
  /** What signs its deliveries, while the page that made it is open. */
  readonly secret: string | undefined
}

/** The endpoint that is subscribed, and once the secret that it verifies with. */
export const Subscribed = ({ hook, secret }: SubscribedProps) => {
  const { t } = useTranslation('home')
  return (
    <>
      <p className="muted">{hook.target_url}</p>
      {secret === undefined ? (
        <p className="muted">
          <Trans
            ns="home"
            i18nKey="setup.subscribe.no_secret"
            components={{ hook: <Link to={`/hooks/${hook.id}`} /> }}
          />
        </p>
      ) : (
        <>
          <p>{t('setup.subscribe.secret')}</p>
          <p>
            <code>{secret}</code> <CopyText text={secret} />
          </p>
        </>
      )}
    </>
  )
}
