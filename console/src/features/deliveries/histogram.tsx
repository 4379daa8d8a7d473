import { useId, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { formatMoment, formatNumber, formatTick } from '#ui/texts/format.ts'
import { bandCounts, bands, stageCounts, stages, totalOf } from './bands.ts'
import { useBrush, type Range } from './use-brush.ts'
import type { Histogram as Counts } from './use-histogram.ts'
import classes from './histogram.module.css'

interface HistogramProps {
  readonly histogram: Counts | undefined
  readonly isOld: boolean
  /** Narrows the list to a part of the time. */
  readonly pick: (from: string, until: string) => void
}

const height = 76

/** Deliveries over time by outcome. A part is picked by dragging, or by the arrow keys with shift and Enter. */
export const Histogram = ({ histogram, isOld, pick }: HistogramProps) => {
  const { t } = useTranslation('deliveries')
  const keysId = useId()
  const count = histogram?.buckets.length ?? 0
  const brush = useBrush(count, ({ first, last }) => {
    if (histogram === undefined) return
    pick(startOf(histogram, first), startOf(histogram, last + 1))
  })
  if (histogram === undefined || count === 0) return <div className={classes['empty']} />
  const { range } = brush
  return (
    <figure>
      <div
        className={classes['chart']}
        role="slider"
        tabIndex={0}
        aria-label={t('chart.label')}
        aria-describedby={keysId}
        aria-valuemin={0}
        aria-valuemax={count - 1}
        aria-valuenow={range?.last ?? 0}
        aria-valuetext={range === undefined ? t('chart.none') : rangeText(histogram, range, t)}
        data-old={isOld || undefined}
        {...brush.handlers}
      >
        <Bars histogram={histogram} />
        {range !== undefined && (
          <div
            className={classes['picked']}
            style={{
              left: `${(range.first / count) * 100}%`,
              width: `${((range.last - range.first + 1) / count) * 100}%`,
            }}
          />
        )}
      </div>
      <div className={`${classes['axis']} small muted`} aria-hidden="true">
        {range === undefined ? <Ticks histogram={histogram} /> : <span>{rangeText(histogram, range, t)}</span>}
      </div>
      <span id={keysId} hidden>
        {t('chart.keys')}
      </span>
      <CountTable histogram={histogram} />
    </figure>
  )
}

/** When a part begins; the end of the whole for the one after the last. */
const startOf = ({ buckets, to }: Counts, index: number): string => buckets[index]?.at ?? to

const rangeText = (histogram: Counts, { first, last }: Range, t: (key: string) => string): string => {
  const [from, until] = [startOf(histogram, first), startOf(histogram, last + 1)]
  const sums = stages.map((stage) => {
    const parts = histogram.buckets.slice(first, last + 1).map((bucket) => stageCounts(bucket)[stage])
    return [stage, parts.reduce((sum, part) => sum + part, 0)] as const
  })
  const words = sums.filter(([, sum]) => sum > 0).map(([stage, sum]) => `${t(`stage.${stage}`)} ${formatNumber(sum)}`)
  return [`${formatMoment(new Date(from))} – ${formatMoment(new Date(until))}`, ...words].join(' · ')
}

const Bars = ({ histogram }: { readonly histogram: Counts }) => {
  const { buckets } = histogram
  const rects = useMemo(() => {
    const most = Math.max(1, ...buckets.map(totalOf))
    return buckets.flatMap((bucket, index) => {
      const counts = bandCounts(bucket)
      let below = 0
      return bands.flatMap((band) => {
        if (counts[band] === 0) return []
        // One of ten thousand is still seen.
        const tall = Math.max(1.5, (counts[band] / most) * (height - 8))
        below += tall
        return [{ band, x: index + 0.1, y: height - below, tall }]
      })
    })
  }, [buckets])
  return (
    <svg viewBox={`0 0 ${buckets.length} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      {rects.map(({ band, x, y, tall }) => (
        <rect key={`${x} ${band}`} data-outcome={band} x={x} y={y} width={0.8} height={tall} />
      ))}
    </svg>
  )
}

const ticks = 6

const Ticks = ({ histogram: { from, to } }: { readonly histogram: Counts }) => {
  const [start, end] = [Date.parse(from), Date.parse(to)]
  return Array.from({ length: ticks + 1 }, (_, index) => (
    <span key={index} className={index % 2 === 1 ? 'wide' : undefined}>
      {formatTick(new Date(start + ((end - start) * index) / ticks), end - start)}
    </span>
  ))
}

/** The same as the bars, for who does not see them. */
const CountTable = ({ histogram }: { readonly histogram: Counts }) => {
  const { t } = useTranslation('deliveries')
  const shown = histogram.buckets.filter((bucket) => totalOf(bucket) > 0)
  return (
    <div className="visually-hidden">
      <table>
        <caption>{t('chart.label')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('field.time')}</th>
            {stages.map((stage) => (
              <th key={stage} scope="col">
                {t(`stage.${stage}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((bucket) => (
            <tr key={bucket.at}>
              <th scope="row">{formatMoment(new Date(bucket.at))}</th>
              {stages.map((stage) => (
                <td key={stage}>{formatNumber(stageCounts(bucket)[stage])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
