import { useTranslation } from 'react-i18next'
import { endingPhrase } from '#ui/delivery/ending.ts'
import { JsonView } from '#ui/json-view.tsx'
import { Link } from '#ui/link.tsx'
import { Status } from '#ui/status.tsx'
import { formatDuration } from '#ui/texts/format.ts'

interface FirstAnswerProps {
  /** How the attempt of a test ended; undefined while it is under way. */
  readonly of:
    | {
        readonly isDelivered: boolean
        readonly status: number | null
        readonly reason: string | null
        readonly durationMs: number | null
        readonly detail: string | null
        readonly body: string | null
      }
    | undefined
  /** The page of the delivery. */
  readonly to: string
}

/** What a receiver answered to a test. */
export const FirstAnswer = ({ of, to }: FirstAnswerProps) => {
  const { t } = useTranslation('subscriptions')
  const { t: words } = useTranslation('delivery')
  if (of === undefined) return <p className="muted">{t('ping.waiting')}</p>
  const { isDelivered, status, reason, durationMs: ms, detail, body } = of
  return (
    <div className="stack">
      <p className="flex wrap">
        <Status outcome={isDelivered ? 'ok' : 'bad'}>{t(isDelivered ? 'ping.arrived' : 'ping.failed')}</Status>
        <span>
          {t('ping.answer', { phrase: endingPhrase({ status, reason }, words) })}
          {ms !== null && ` ${t('ping.took', { time: formatDuration(ms) })}`}
        </span>
        <Link to={to}>{t('ping.delivery')}</Link>
      </p>
      {detail !== null && <p className="muted">{detail}</p>}
      {body !== null && body !== '' && <JsonView text={body} label={t('ping.body')} />}
    </div>
  )
}
