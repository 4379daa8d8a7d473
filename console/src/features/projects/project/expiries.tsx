import { useTranslation } from 'react-i18next'
import type { Schema } from '#api/types.ts'
import { useNow } from '#ui/now.ts'
import { Status } from '#ui/status.tsx'
import { Time } from '#ui/time.tsx'
import classes from '../projects.module.css'
import { expiringOf, termOf } from './expiring.ts'
import { ExpiryAxis } from './expiry-axis.tsx'

/** Certificates and provisioning profiles along time: what has ended, what ends within 30 days, and the rest. */
export const Expiries = ({ project }: { readonly project: Schema<'Project'> }) => {
  const { t } = useTranslation('projects')
  const now = useNow()
  const all = expiringOf(project)
  return (
    <section className="stack">
      <h2>{t('expiry.title')}</h2>
      {all.length === 0 && <p className="muted">{t('expiry.nothing')}</p>}
      {all.length > 0 && <ExpiryAxis all={all} now={now} />}
      <ol className={classes['expiries']}>
        {all.map(({ kind, environment, bundle, at }) => {
          const { term, outcome } = termOf(at, now)
          const days = Math.abs(Math.round((Date.parse(at) - now.getTime()) / 86_400_000))
          return (
            <li key={`${kind} ${environment} ${bundle}`}>
              <span>
                <Status outcome={outcome}>{t(`expiry.${term}`, { count: days })}</Status>
              </span>
              <Time at={at} as="date" />
              <span>
                {t(`expiry.${kind}`)}, {t(`environment.${environment}`)} <code>{bundle}</code>
              </span>
            </li>
          )
        })}
      </ol>
    </section>
  )
}
