import { useTranslation } from 'react-i18next'
import type { Schema } from '#api/types.ts'
import { Link } from '#ui/link.tsx'
import classes from '../projects.module.css'
import { credentialGroups, storedOf } from './field-groups.ts'
import { pageOf, type ProjectPath } from './project-queries.ts'

interface CredentialsProps {
  readonly path: ProjectPath
  readonly project: Schema<'Project'>
}

/** What signs the app and how its stores are reached: how much of it is there. */
export const Credentials = ({ path, project }: CredentialsProps) => {
  const { t } = useTranslation('projects')
  const { production = [], staging = [] } = project.additionalCredentials.ios ?? {}
  return (
    <section className="stack">
      <h2>{t('setup.heading')}</h2>
      <ul className={classes['statuses']}>
        {credentialGroups.map((group) => {
          const count = Object.keys(storedOf(project, group)).length
          const all = Object.keys(group.fields).length
          return (
            <li key={group.id} className={classes['status']}>
              <Link to={`${pageOf(path)}/fields/${group.id}`}>{group.name(t)}</Link>
              <div className="small muted">{t('setup.stored', { count, all })}</div>
            </li>
          )
        })}
        <li className={classes['status']}>
          <Link to={`${pageOf(path)}/bundles`}>{t('bundles.title')}</Link>
          <div className="small muted">{t('bundles.count', { count: production.length + staging.length })}</div>
        </li>
      </ul>
    </section>
  )
}
