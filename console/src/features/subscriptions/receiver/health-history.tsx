import { useTranslation } from 'react-i18next'
import { Status, type Outcome } from '#ui/status.tsx'
import { Time } from '#ui/time.tsx'
import type { HealthChange } from './sentence.ts'
import classes from './receiver.module.css'

const outcomes: Readonly<Record<HealthChange['change'], Outcome>> = {
  failing: 'wait',
  disabled: 'bad',
  recovered: 'ok',
  switched_off: 'idle',
  switched_on: 'ok',
}

/** When the health of a receiver changed, the newest first. */
export const HealthHistory = ({ changes }: { readonly changes: readonly HealthChange[] | undefined }) => {
  const { t } = useTranslation('subscriptions')
  if (changes === undefined) return null
  return (
    <section className="stack">
      <h2>{t('history.title')}</h2>
      {changes.length === 0 && <p className="muted">{t('history.none')}</p>}
      <ul className={classes['rows']}>
        {changes.map(({ at, change, reason, failures }) => (
          <li key={`${at} ${change}`}>
            <Status outcome={outcomes[change]}>{t(`history.${change}`)}</Status>
            {change === 'disabled' && reason !== null && (
              <span className="muted">{t(`history.reason_${reason}`, { defaultValue: reason })}</span>
            )}
            {failures > 0 && <span className="muted small">{t('history.failures', { count: failures })}</span>}
            <span className="muted">
              <Time at={at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
