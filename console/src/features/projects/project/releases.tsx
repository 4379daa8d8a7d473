import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Failed, Skeleton } from '#ui/states.tsx'
import classes from '../projects.module.css'
import { deploymentsOf, distributionsOf, type ProjectPath } from './project-queries.ts'
import { DeploymentRow, DistributionRow } from './release-row.tsx'
import { environments } from './release-words.ts'

interface ReleasesProps {
  readonly path: ProjectPath
  /** Why the caller may not report what came of them. */
  readonly off: string | undefined
}

/** Builds and what was distributed of them as one line of time, the newest first. */
export const Releases = ({ path, off }: ReleasesProps) => {
  const { t } = useTranslation('projects')
  const deployments = useQuery(deploymentsOf(path))
  const distributions = useQuery(distributionsOf(path))
  const [environment, setEnvironment] = useState('all')
  const error = deployments.error ?? distributions.error
  if (deployments.data === undefined || distributions.data === undefined)
    return error === null ? <Skeleton lines={8} width="100%" /> : <Failed error={error} />
  const all = [
    ...deployments.data.rows.map((deployment) => ({ deployment, ...deployment })),
    ...distributions.data.rows.map((distribution) => ({ distribution, ...distribution })),
  ]
    .filter((one) => environment === 'all' || one.environment === environment)
    .toSorted((one, other) => other.createdAt.localeCompare(one.createdAt))
  return (
    <section className="stack">
      <div className="flex between wrap">
        <h2>{t('releases.title')}</h2>
        <SegmentedControl
          size="xs"
          aria-label={t('field.environment')}
          value={environment}
          onChange={setEnvironment}
          data={['all', ...environments].map((value) => ({ value, label: t(`environment.${value}`) }))}
        />
      </div>
      {all.length === 0 && <p className="muted">{t('releases.nothing')}</p>}
      <ol className={classes['releases']}>
        {all.map((one) =>
          'deployment' in one && typeof one.deployment === 'object' ? (
            <DeploymentRow key={one._id} path={path} deployment={one.deployment} off={off} />
          ) : (
            'distribution' in one && (
              <DistributionRow key={one._id} path={path} distribution={one.distribution} off={off} />
            )
          ),
        )}
      </ol>
      <p className="small muted">
        {t('releases.of', { deployments: deployments.data.total, distributions: distributions.data.total })}
      </p>
    </section>
  )
}
