import { useTranslation } from 'react-i18next'
import { formatNumber } from '#ui/texts/format.ts'
import type { Search } from '#ui/list/filters.ts'
import { OutcomeMark } from '#ui/status.tsx'
import { stageCounts, stages, statusOf } from './bands.ts'
import { outcomes } from './outcome.ts'
import type { Histogram } from './use-histogram.ts'
import classes from './histogram.module.css'

interface LegendProps {
  readonly histogram: Histogram | undefined
  readonly search: Search
  readonly change: (parameters: Search) => void
}

/** How many there are of each outcome in this time; each word is a filter. */
export const Legend = ({ histogram, search, change }: LegendProps) => {
  const { t } = useTranslation('deliveries')
  if (histogram === undefined) return null
  const counts = stageCounts(histogram.total)
  const { status } = search
  const shown = stages.filter((stage) => counts[stage] > 0)
  return (
    <div className={classes['legend']} role="group" aria-label={t('chart.legend')}>
      {shown.map((stage) => {
        const isOn = status === statusOf(stage)
        return (
          <button
            key={stage}
            type="button"
            className={classes['stage']}
            aria-pressed={isOn}
            onClick={() => change({ status: isOn ? undefined : statusOf(stage) })}
          >
            <OutcomeMark outcome={outcomes[stage]} className={classes['mark'] ?? ''} />
            {t(`stage.${stage}`)}{' '}
            <b>
              {histogram.is_exact ? '' : '≈ '}
              {formatNumber(counts[stage])}
            </b>
          </button>
        )
      })}
    </div>
  )
}
