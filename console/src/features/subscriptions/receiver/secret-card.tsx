import { useTimeout } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { NumberInput } from '@mantine/core'
import { Action } from '#ui/action.tsx'
import { Time } from '#ui/time.tsx'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import { ShownSecret } from '../hook/shown-secret.tsx'
import classes from './receiver.module.css'

const shownMs = 30_000

interface SecretCardProps {
  /** Until when older secrets sign as well. */
  readonly previous: readonly string[]
  /** Fetches the secret, where the API shows it again; undefined where it is shown when it is made alone. */
  readonly reveal: (() => Promise<string>) | undefined
  /** Makes another one. @returns it */
  readonly rotate: (overlapHours: number) => Promise<string | null>
  readonly revoke: () => Promise<unknown>
}

/** What signs deliveries: shown for half a minute, changed with an overlap, and older ones cut off. */
export const SecretCard = ({ previous, reveal, rotate, revoke }: SecretCardProps) => {
  const { t } = useTranslation('subscriptions')
  const [secret, setSecret] = useState<string>()
  const [hours, setHours] = useState(24)
  const hide = useTimeout(() => setSecret(undefined), shownMs)
  const show = (next: string | null): void => {
    setSecret(next ?? undefined)
    hide.clear()
    hide.start()
  }
  return (
    <section className="stack">
      <h2>{t('secret.title')}</h2>
      <div aria-live="polite">
        {secret === undefined ? (
          <p className="muted">{t(reveal === undefined ? 'secret.once' : 'secret.hidden')}</p>
        ) : (
          <>
            <ShownSecret secret={secret} />
            <p className="small muted">{t('secret.hides')}</p>
          </>
        )}
      </div>
      {reveal !== undefined && secret === undefined && (
        <div>
          <Action onClick={() => void reveal().then(show, toastFailed)}>{t('secret.reveal')}</Action>
        </div>
      )}
      {previous.length > 0 && (
        <>
          <p>{t('secret.two', { count: previous.length + 1 })}</p>
          <ul className={classes['rows']}>
            {previous.map((until) => (
              <li key={until}>
                {t('secret.until')} <Time at={until} as="moment" />
              </li>
            ))}
          </ul>
        </>
      )}
      <div className="flex wrap" style={{ alignItems: 'flex-end' }}>
        <NumberInput
          label={t('secret.overlap')}
          w={140}
          min={0}
          max={168}
          value={hours}
          onChange={(next) => setHours(next === '' ? 24 : Number(next))}
        />
        <Action onClick={() => void rotate(hours).then(show, toastFailed)}>{t('secret.rotate')}</Action>
        {previous.length > 0 && (
          <Action onClick={() => void revoke().then(() => toastDone(t('secret.revoked')), toastFailed)}>
            {t('secret.revoke')}
          </Action>
        )}
      </div>
    </section>
  )
}
