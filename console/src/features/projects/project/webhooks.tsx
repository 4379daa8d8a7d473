import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { GoAction } from '#ui/go-action.tsx'
import { Link } from '#ui/link.tsx'
import { Failed, Skeleton } from '#ui/states.tsx'
import { Status } from '#ui/status.tsx'
import classes from '../projects.module.css'
import { pageOf, webhooksOf, type ProjectPath } from './project-queries.ts'

interface WebhooksProps {
  readonly path: ProjectPath
  /** Why the caller may make none. */
  readonly off: string | undefined
}

/** Who is told about the releases of a project. */
export const Webhooks = ({ path, off }: WebhooksProps) => {
  const { t } = useTranslation('projects')
  const { data, error } = useQuery(webhooksOf(path))
  return (
    <section className="stack">
      <div className="flex between">
        <h2>{t('webhooks.title')}</h2>
        <GoAction off={off} to={`${pageOf(path)}/settings/webhooks/new`}>
          {t('webhooks.new')}
        </GoAction>
      </div>
      {error !== null && data === undefined && <Failed error={error} />}
      {error === null && data === undefined && <Skeleton lines={2} width="100%" />}
      {data?.rows.length === 0 && <p className="muted">{t('webhooks.nothing')}</p>}
      <ul className={classes['expiries']}>
        {data?.rows.map((webhook) => (
          <li key={webhook._id}>
            <Link to={`${pageOf(path)}/settings/webhooks/${webhook._id}`}>{webhook.name}</Link>
            <span>
              <Status outcome={webhook.active ? 'ok' : 'idle'}>{t(webhook.active ? 'out.on' : 'out.off')}</Status>
            </span>
            <span className="mono muted cut">{webhook.url}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
