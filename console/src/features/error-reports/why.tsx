import { useTranslation } from 'react-i18next'
import type { Schema } from '#api/types.ts'
import { causeOf } from './cause.ts'
import { Code } from './code.tsx'
import { MapPlace } from './map-place.tsx'
import type { Names } from './names.ts'
import { placeOf } from './place.ts'
import { isUnsaid } from './sentence.ts'
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
  const hasWords = !isUnsaid(report.error_desc) && report.error_desc !== title
  return (
    <section className="card">
      <div className="head">
        <h3>{t('why')}</h3>
        <Code code={report.error_code} isMuted />
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
