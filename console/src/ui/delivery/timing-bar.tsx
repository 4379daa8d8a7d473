import { useTranslation } from 'react-i18next'
import { formatNumber } from '#ui/texts/format.ts'
import type { Timing } from './attempt.ts'
import classes from './delivery.module.css'

interface TimingBarProps {
  readonly timing: Timing
  readonly totalMs: number | null
}

const phases = ['dns', 'connect', 'tls', 'firstByte', 'rest'] as const

/** Where the time of an attempt went; each phase in proportion, and in figures below. */
export const TimingBar = ({ timing, totalMs }: TimingBarProps) => {
  const { t } = useTranslation('delivery')
  const known = [timing.dns, timing.connect, timing.tls, timing.firstByte]
  const spent = known.reduce<number>((sum, ms) => sum + (ms ?? 0), 0)
  if (totalMs === null) return null
  const rest = Math.max(0, totalMs - spent)
  const values = { ...timing, rest }
  const shown = phases.filter((phase) => values[phase] !== null)
  // Without a first byte, what is left was spent waiting for it and no body came.
  const name = (phase: (typeof phases)[number]): string =>
    phase === 'rest' && timing.firstByte === null ? t('phase.waited') : t(`phase.${phase}`)
  return (
    <div>
      <div className={classes['timing']} aria-hidden="true">
        {shown.map((phase) => (
          <span
            key={phase}
            data-phase={phase === 'rest' && timing.firstByte === null ? 'firstByte' : phase}
            style={{ flexGrow: Math.max(values[phase] ?? 0, totalMs / 200) }}
          />
        ))}
      </div>
      <ul className={`${classes['phases']} small muted`} aria-label={t('timing')}>
        {shown.map((phase) => (
          <li key={phase}>
            {name(phase)} <span className="num">{formatNumber(values[phase] ?? 0)} ms</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
