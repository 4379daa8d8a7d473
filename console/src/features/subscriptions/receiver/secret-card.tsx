import { useDisclosure, useTimeout } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Action } from '#ui/action.tsx'
import { Notice } from '#ui/notice.tsx'
import { Time } from '#ui/time.tsx'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import { ShownSecret } from '../hook/shown-secret.tsx'
import { RotateDialog } from './rotate-dialog.tsx'
import classes from './receiver.module.css'

const shownMs = 30_000

interface SecretCardProps {
  /** Until when older secrets sign as well. */
  readonly previous: readonly string[]
  /** Fetches the secret, where the API shows it again; undefined where it is shown when it is made alone. */
  readonly reveal: (() => Promise<string>) | undefined
  /** Makes another one. @returns it; null where a key pair signs */
  readonly rotate: (overlapHours: number) => Promise<string | null>
  readonly revoke: () => Promise<unknown>
}

/** What signs deliveries: changed with an overlap, the new one shown until it is put away, and older ones cut off. */
export const SecretCard = ({ previous, reveal, rotate, revoke }: SecretCardProps) => {
  const { t } = useTranslation('subscriptions')
  const [made, setMade] = useState<string>()
  const [isAsking, { open, close }] = useDisclosure()
  const make = async (hours: number): Promise<void> => {
    const secret = await rotate(hours)
    setMade(secret ?? undefined)
    if (secret === null) toastDone(t('secret.made_pair'))
  }
  return (
    <section className="stack">
      <h2>{t('secret.title')}</h2>
      <div aria-live="polite">
        {made !== undefined && (
          <Notice title={t('secret.made')} outcome="wait">
            <div className="stack">
              <p>{t(reveal === undefined ? 'secret.made_why' : 'secret.made_why_again')}</p>
              <ShownSecret secret={made} />
              <div>
                <Action onClick={() => setMade(undefined)}>{t('secret.kept')}</Action>
              </div>
            </div>
          </Notice>
        )}
        {made === undefined && reveal === undefined && <p className="muted">{t('secret.once')}</p>}
        {made === undefined && reveal !== undefined && <Revealed reveal={reveal} />}
      </div>
      <Previous until={previous} />
      <div className="flex wrap">
        <Action onClick={open}>{t('secret.rotate')}</Action>
        {previous.length > 0 && (
          <Action onClick={() => void revoke().then(() => toastDone(t('secret.revoked')), toastFailed)}>
            {t('secret.revoke')}
          </Action>
        )}
      </div>
      {isAsking && <RotateDialog rotate={make} close={close} />}
    </section>
  )
}

/** A secret that the API shows at any time: for half a minute, when it is asked for. */
const Revealed = ({ reveal }: { readonly reveal: () => Promise<string> }) => {
  const { t } = useTranslation('subscriptions')
  const [secret, setSecret] = useState<string>()
  const hide = useTimeout(() => setSecret(undefined), shownMs)
  const show = (next: string): void => {
    setSecret(next)
    hide.clear()
    hide.start()
  }
  if (secret !== undefined)
    return (
      <>
        <ShownSecret secret={secret} />
        <p className="small muted">{t('secret.hides')}</p>
      </>
    )
  return (
    <div className="stack">
      <p className="muted">{t('secret.hidden')}</p>
      <div>
        <Action onClick={() => void reveal().then(show, toastFailed)}>{t('secret.reveal')}</Action>
      </div>
    </div>
  )
}

const Previous = ({ until: times }: { readonly until: readonly string[] }) => {
  const { t } = useTranslation('subscriptions')
  if (times.length === 0) return null
  return (
    <>
      <p>{t('secret.two', { count: times.length + 1 })}</p>
      <ul className={classes['rows']}>
        {times.map((until) => (
          <li key={until}>
            {t('secret.until')} <Time at={until} as="moment" />
          </li>
        ))}
      </ul>
    </>
  )
}
