import { Modal, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#api/api-error.ts'
import { Action } from '#ui/action.tsx'
import { fromLocalTime, toLocalTime } from '#ui/local-time.ts'
import { formatNumber } from '#ui/texts/format.ts'
import { Time } from '#ui/time.tsx'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import classes from './receiver.module.css'

/** How many deliveries it would be, and the first of them where the API says so. */
export interface Counted {
  readonly count: number
  readonly isExact: boolean
  readonly sample?: readonly {
    readonly event: number
    readonly type: string
    readonly about: string
    readonly at: string
  }[]
}

interface RecoverDialogProps {
  readonly title: string
  readonly about: string
  /** RFC 3339: since when, at first. */
  readonly since: string
  readonly close: () => void
  readonly count: (since: string) => Promise<Counted>
  readonly start: (since: string) => Promise<unknown>
  /** Names the query of the count. */
  readonly name: string
}

/** Letters of a local time without its seconds, which nobody chooses here. */
const toMinute = 16

/** Sends what was missed since a time, once it has said how much that is. */
export const RecoverDialog = ({ title, about, since: first, close, count, start, name }: RecoverDialogProps) => {
  const { t } = useTranslation('subscriptions')
  const [local, setLocal] = useState(toLocalTime(first).slice(0, toMinute))
  const [isStarting, setStarting] = useState(false)
  const since = fromLocalTime(local)
  const counted = useQuery<Counted, ApiError>({
    queryKey: ['recover', name, since],
    queryFn: () => count(since ?? ''),
    enabled: since !== undefined,
    meta: { isLive: false },
  })
  const send = async (): Promise<void> => {
    setStarting(true)
    try {
      await start(since ?? '')
      toastDone(t('recover.started'))
      close()
    } catch (error) {
      toastFailed(error)
    }
    setStarting(false)
  }
  const total = counted.data?.count ?? 0
  const words = `${formatNumber(total)}${counted.data?.isExact === false ? '+' : ''}`
  return (
    <Modal opened onClose={close} title={title} size="lg">
      <div className="stack">
        <p className="muted">{about}</p>
        <TextInput
          type="datetime-local"
          label={t('recover.since')}
          value={local}
          onChange={(event) => setLocal(event.currentTarget.value)}
        />
        <div aria-live="polite">
          {counted.error !== null && <p className="text-bad">{counted.error.message}</p>}
          {counted.isFetching && counted.data === undefined && <p className="muted">{t('recover.counting')}</p>}
          {counted.data !== undefined && (
            <p>{total === 0 ? t('recover.nothing') : t('recover.would', { count: total, words })}</p>
          )}
        </div>
        <Sample of={counted.data} />
        <div className="flex">
          <Action
            main
            loading={isStarting}
            off={total === 0 ? t('recover.nothing') : undefined}
            onClick={() => void send()}
          >
            {t('recover.send', { words })}
          </Action>
          <Action onClick={close}>{t('texts:cancel')}</Action>
        </div>
      </div>
    </Modal>
  )
}

const Sample = ({ of }: { readonly of: Counted | undefined }) => {
  if (of?.sample === undefined || of.sample.length === 0) return null
  return (
    <ul className={classes['rows']}>
      {of.sample.map(({ event, type, about, at }) => (
        <li key={event}>
          <code>{type}</code>
          <span>{about}</span>
          <span className="muted">
            <Time at={at} />
          </span>
        </li>
      ))}
    </ul>
  )
}
