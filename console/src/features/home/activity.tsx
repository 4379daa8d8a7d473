import { useTranslation } from 'react-i18next'
import type { Schema } from '#api/types.ts'
import { Link } from '#ui/link.tsx'
import { formatHour, formatNumber } from '#ui/texts/format.ts'
import { useOneStop } from '#ui/use-one-stop.ts'
import classes from './home.module.css'

type Hour = Schema<'HourOfDeliveries'>

const heightPx = 96
const hourMs = 3_600_000

const linkOf = (hour: Hour, more = ''): string => {
  const until = new Date(Date.parse(hour.at) + hourMs).toISOString()
  const from = encodeURIComponent(hour.at)
  return `/deliveries?created_date__gte=${from}&created_date__lt=${encodeURIComponent(until)}${more}`
}

/** The deliveries of the last day by hour and outcome: a chart, and a table with the same for those who do not see it. */
export const Activity = ({
  activity: { hours, is_exact, pending },
}: {
  readonly activity: Schema<'DeliveryActivity'>
}) => {
  const { t } = useTranslation('home')
  const delivered = hours.reduce((sum, hour) => sum + hour.delivered, 0)
  const failed = hours.reduce((sum, hour) => sum + hour.failed, 0)
  return (
    <section className="stack" aria-labelledby="activity">
      <div className="flex between wrap">
        <h2 id="activity">{t('activity.title')}</h2>
        <span className="small muted">
          {!is_exact && `${t('activity.about')} `}
          {t('activity.delivered', { count: delivered })} ·{' '}
          <Link
            to="/deliveries?status=failed&created_date__gte=-24h"
            className={`${classes['failedLink']} ${failed > 0 ? 'text-bad' : 'muted'}`}
          >
            {t('activity.failed', { count: failed })}
          </Link>{' '}
          · {t('activity.pending', { count: pending.count })}
        </span>
      </div>
      <Chart hours={hours} />
      <HourTable hours={hours} />
    </section>
  )
}

const Chart = ({ hours }: { readonly hours: readonly Hour[] }) => {
  const { t } = useTranslation('home')
  const most = Math.max(1, ...hours.map((hour) => hour.delivered + hour.failed))
  const scaled = (count: number): number => (count === 0 ? 0 : Math.max(2, (count / most) * heightPx))
  const { group, tabIndex } = useOneStop(hours.length, hours.length - 1)
  const ticks = hours.filter((_, index) => index % 6 === 0)
  return (
    <div>
      <svg
        className={classes['chart']}
        width="100%"
        height={heightPx + 2}
        role="group"
        aria-label={t('activity.title')}
        {...group}
      >
        {hours.map((hour, index) => {
          const [ok, bad] = [scaled(hour.delivered), scaled(hour.failed)]
          const box = { x: `${(index / hours.length) * 100}%`, width: `${100 / hours.length - 0.6}%` }
          const facts = { hour: formatHour(new Date(hour.at)), delivered: hour.delivered, failed: hour.failed }
          return (
            <Link key={hour.at} to={linkOf(hour)} tabIndex={tabIndex(index)} aria-label={t('activity.hour', facts)}>
              <title>{t('activity.hour', facts)}</title>
              <rect {...box} y={0} height={heightPx + 2} className={classes['hit']} />
              <rect {...box} y={heightPx - ok} height={ok} className={classes['delivered']} />
              <rect {...box} y={heightPx - ok - bad} height={bad} className={classes['failed']} />
              <rect {...box} y={heightPx} height={1} className={classes['base']} />
            </Link>
          )
        })}
      </svg>
      <div className="flex between small muted" aria-hidden="true">
        {ticks.map((hour) => (
          <span key={hour.at}>{formatHour(new Date(hour.at))}</span>
        ))}
        <span>{t('activity.now')}</span>
      </div>
    </div>
  )
}

const HourTable = ({ hours }: { readonly hours: readonly Hour[] }) => {
  const { t } = useTranslation('home')
  return (
    <div className="visually-hidden">
      <table>
        <caption>{t('activity.title')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('activity.column.hour')}</th>
            <th scope="col">{t('activity.column.delivered')}</th>
            <th scope="col">{t('activity.column.failed')}</th>
          </tr>
        </thead>
        <tbody>
          {hours.map((hour) => (
            <tr key={hour.at}>
              <th scope="row">{formatHour(new Date(hour.at))}</th>
              <td>{formatNumber(hour.delivered)}</td>
              <td>{formatNumber(hour.failed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
