import { useTranslation } from 'react-i18next'
import type { Schema } from '#api/types.ts'
import { Status } from '#ui/status.tsx'
import { Time } from '#ui/time.tsx'
import classes from '../projects.module.css'
import { environments, platforms } from './release-words.ts'

/** What of an app is out, for each platform and environment. */
export const AppStatuses = ({ statuses }: { readonly statuses: Schema<'Project'>['appStatuses'] }) => {
  const { t } = useTranslation('projects')
  const known = platforms.flatMap((platform) =>
    environments.flatMap((environment) => {
      const status = statuses[platform]?.[environment]
      return status === undefined ? [] : [{ platform, environment, status }]
    }),
  )
  return (
    <section className="stack">
      <h2>{t('out.title')}</h2>
      {known.length === 0 && <p className="muted">{t('out.nothing')}</p>}
      <div className={classes['statuses']}>
        {known.map(({ platform, environment, status }) => (
          <div key={`${platform} ${environment}`} className={classes['status']}>
            <div className="muted">
              {t(`platform.${platform}`)}, {t(`environment.${environment}`)}
            </div>
            <div className="flex">
              <span className={classes['version']}>{status.storeVersion ?? status.envVersion ?? '–'}</span>
              {status.status !== undefined && (
                <Status outcome={status.status ? 'ok' : 'idle'}>{t(status.status ? 'out.on' : 'out.off')}</Status>
              )}
            </div>
            <div className="small muted">
              {isTime(status.publishedAt) ? <Time at={status.publishedAt} /> : status.publishedAt} {status.publisher}
            </div>
          </div>
        ))}
      </div>
    </section>
  )
}

/** Whoever sets a status by hand may have written any text. */
const isTime = (text: string | undefined): text is string => text !== undefined && !Number.isNaN(Date.parse(text))
