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
      <LocalReceiver url={hook.target_url} secret={secret} />
    </>
  )
}

interface LocalReceiverProps {
  readonly url: string | null
  readonly secret: string | undefined
}

/** How a receiver is started that comes along, where the endpoint is on this machine. */
const LocalReceiver = ({ url, secret = '<secret>' }: LocalReceiverProps) => {
  const { t } = useTranslation('home')
  const { hostname, port } = new URL(url ?? 'http://nowhere')
  if (hostname !== '127.0.0.1' && hostname !== 'localhost') return null
  const command = `node docs/receiver.mjs ${secret} ${port === '' ? '80' : port}`
  return (
    <>
      <p className="muted">{t('setup.subscribe.receiver')}</p>
      <p>
        <code style={{ overflowWrap: 'anywhere' }}>{command}</code>{' '}
        <CopyText text={command} label={t('setup.subscribe.command')} />
      </p>
    </>
  )
}
