import { useTranslation } from 'react-i18next'
import { formatDuration } from '#ui/texts/format.ts'
import { Time } from '#ui/time.tsx'
import type { Attempt } from './attempt.ts'
import { endingWord } from './ending.ts'
import classes from './delivery.module.css'

interface AttemptCardsProps {
  /** The first one first. */
  readonly attempts: readonly Attempt[]
  /** Number of the attempt that is shown below. */
  readonly chosen: number | undefined
  readonly choose: (number: number) => void
  /** When the next one is due; null when there is none. */
  readonly nextAt: string | null
}

/** Each attempt as a card: when, what came of it, how long it took; the next one is dashed. */
export const AttemptCards = ({ attempts, chosen, choose, nextAt }: AttemptCardsProps) => {
  const { t } = useTranslation('delivery')
  return (
    <div className={classes['attempts']} role="group" aria-label={t('attempts')}>
      {attempts.map((attempt) => (
        <button
          key={attempt.number}
          type="button"
          className={classes['attempt']}
          aria-pressed={attempt.number === chosen}
          onClick={() => choose(attempt.number)}
        >
          <span className="muted">
            <span className="visually-hidden">{t('attempt_number', { number: attempt.number })} </span>
            <Time at={attempt.startedAt} as="clock" />
          </span>
          <span>
            <b className={colours[attempt.outcome]}>{attempt.outcome === 'unknown' ? '?' : endingWord(attempt, t)}</b>
            {attempt.durationMs !== null && <span className="muted small"> {formatDuration(attempt.durationMs)}</span>}
          </span>
        </button>
      ))}
      {nextAt !== null && (
        <div className={classes['attempt']} data-next>
          <Time at={nextAt} as="clock" />
          <span className="muted">{t('next')}</span>
        </div>
      )}
    </div>
  )
}

const colours = { delivered: 'text-ok', retry: 'text-bad', failed: 'text-bad', unknown: 'text-wait' } as const
