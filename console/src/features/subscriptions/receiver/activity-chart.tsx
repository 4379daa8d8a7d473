import { SegmentedControl } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Skeleton } from '#ui/states.tsx'
import { formatDate, formatDuration, formatNumber, formatPercent, formatClock } from '#ui/texts/format.ts'
import type { Activity } from './sentence.ts'
import classes from './receiver.module.css'

export type Span = '24' | '168'

interface ActivityChartProps {
  /** Undefined while it is being fetched. */
  readonly activity: Activity | undefined
  readonly span: Span
  readonly choose: (span: Span) => void
}

/** How deliveries went in the last day or week: how many arrived, how they were answered, and how fast. */
export const ActivityChart = ({ activity, span, choose }: ActivityChartProps) => {
  const { t } = useTranslation('subscriptions')
  return (
    <section className="stack" aria-label={t('activity.title')}>
      <div className="flex between wrap">
        <h2>{t('activity.title')}</h2>
        <SegmentedControl
          aria-label={t('activity.span')}
          size="xs"
          value={span}
          onChange={choose}
          data={[
            { value: '24', label: t('activity.day') },
            { value: '168', label: t('activity.week') },
          ]}
        />
      </div>
      {activity === undefined ? <Skeleton lines={8} width="100%" /> : <Shown activity={activity} />}
    </section>
  )
}

const Shown = ({ activity }: { readonly activity: Activity }) => {
  const { t } = useTranslation('subscriptions')
  const { total } = activity
  const all = total.delivered + total.failed
  return (
    <>
      <Bars activity={activity} />
      <dl className={classes['figures']}>
        <Figure name={t('activity.rate')} value={all === 0 ? '–' : formatPercent(total.delivered / all)} />
        <Figure name={t('activity.delivered')} value={formatNumber(total.delivered)} />
        <Figure name={t('activity.failed')} value={formatNumber(total.failed)} />
        <Figure name={t('activity.attempts')} value={formatNumber(total.attempts)} />
        <Figure name={t('activity.p50')} value={took(total.p50Ms)} />
        <Figure name={t('activity.p95')} value={took(total.p95Ms)} />
      </dl>
      <Answers activity={activity} />
      {!activity.isExact && <p className="small muted">{t('activity.estimated')}</p>}
    </>
  )
}

const took = (ms: number | null): string => (ms === null ? '–' : formatDuration(ms))

const Figure = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div>
    <dt className="small muted">{name}</dt>
    <dd className="strong">{value}</dd>
  </div>
)

const height = 64
const width = 10

const Bars = ({ activity: { buckets, bucketSeconds, from, to } }: { readonly activity: Activity }) => {
  const { t } = useTranslation('subscriptions')
  const busiest = Math.max(0, ...buckets.map(({ delivered, failed }) => delivered + failed))
  const most = Math.max(1, busiest)
  const size = (count: number): number => (count === 0 ? 0 : Math.max(2, (count / most) * height))
  const when = (at: string): string =>
    bucketSeconds < 86_400 ? formatClock(new Date(at)).slice(0, 5) : formatDate(new Date(at))
  return (
    <figure>
      <svg
        className={classes['bars']}
        viewBox={`0 0 ${buckets.length * width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t('activity.title')}
      >
        {buckets.map((bucket, index) => {
          const bad = size(bucket.failed)
          const good = Math.min(size(bucket.delivered), height - bad)
          return (
            <g key={bucket.at} transform={`translate(${index * width} 0)`}>
              <title>
                {t('activity.bar', { at: when(bucket.at), delivered: bucket.delivered, failed: bucket.failed })}
              </title>
              <rect className={classes['hit']} width={width} height={height} />
              <rect className={classes['good']} y={height - good} width={width - 2} height={good} />
              <rect className={classes['bad']} y={height - good - bad} width={width - 2} height={bad} />
            </g>
          )
        })}
      </svg>
      <figcaption className="flex between small muted">
        <span>{when(from)}</span>
        <span>{busiest > 0 && t('activity.most', { count: busiest })}</span>
        <span>{when(to)}</span>
      </figcaption>
    </figure>
  )
}

const answers = [
  ['2xx', 'http2xx', 'ok'],
  ['3xx', 'http3xx', 'wait'],
  ['4xx', 'http4xx', 'bad'],
  ['5xx', 'http5xx', 'bad'],
  ['none', 'noAnswer', 'idle'],
] as const

/** Attempts by the class of their answer, as parts of one bar with their numbers. */
const Answers = ({ activity: { total } }: { readonly activity: Activity }) => {
  const { t } = useTranslation('subscriptions')
  if (total.attempts === 0) return null
  const shown = answers.filter(([, field]) => total[field] > 0)
  return (
    <div>
      <p className="small muted">{t('activity.answers')}</p>
      <div className={classes['parts']} aria-hidden="true">
        {shown.map(([name, field, outcome]) => (
          <span key={name} data-outcome={outcome} style={{ flexGrow: total[field] }} />
        ))}
      </div>
      <ul className="flex wrap small">
        {shown.map(([name, field]) => (
          <li key={name}>
            {name === 'none' ? t('activity.no_answer') : name} <b>{formatNumber(total[field])}</b>
          </li>
        ))}
      </ul>
    </div>
  )
}
