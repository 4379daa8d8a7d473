import { useTranslation } from 'react-i18next'
import type { Schema } from '#api/types.ts'
import { causeOf } from './cause.ts'
import { MapPlace } from './map-place.tsx'
import type { Names } from './names.ts'
import { placeOf } from './place.ts'
import classes from './error-reports.module.css'

interface WhyProps {
  readonly report: Schema<'ErrorReport'>
  readonly names: Names
  /** What the page says already. */
  readonly title: string
}

/** Why it failed, in the words of whoever reports, and what mends it. */
export const Why = ({ report, names, title }: WhyProps) => {
  const { t } = useTranslation('error-reports')
  const place = placeOf(report, names.modelOf(report.action_content_type))
  const cause = causeOf(report, place !== undefined)
  const hasWords = !['', 'custom', title].includes(report.error_desc)
  return (
    <section className="card">
      <div className="head">
        <h3>{t('why')}</h3>
        <code className="muted">{report.error_code}</code>
      </div>
      <div className={`body ${classes['whyBody']}`}>
        {hasWords && <p className={classes['words']}>{report.error_desc}</p>}
        {place === undefined && <p className="muted">{t(`mends.${cause}`)}</p>}
        {!report.is_ok && report.source === null && place === undefined && <p className="muted">{t('mends_then')}</p>}
        {place !== undefined && report.channel !== null && (
          <MapPlace
            key={`${report.channel} ${place.code}`}
            place={place}
            channel={report.channel}
            by={names.channel(report.channel)}
          />
        )}
      </div>
    </section>
  )
}
