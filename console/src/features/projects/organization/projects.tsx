import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Schema } from '#api/types.ts'
import { GoAction } from '#ui/go-action.tsx'
import { Link } from '#ui/link.tsx'
import { Empty, Failed, Skeleton } from '#ui/states.tsx'
import { Status, type Outcome } from '#ui/status.tsx'
import { Time } from '#ui/time.tsx'
import classes from '../projects.module.css'
import { useRoleOff, type Role } from '../rights.ts'
import { projectsOf } from './organization-queries.ts'

type Project = Schema<'Project'>

const outcomes: Record<Project['status'], Outcome> = { active: 'ok', inactive: 'idle', draft: 'wait' }

interface ProjectsProps {
  readonly organizationId: string
  readonly ownRole: Role
}

/** The projects of an organization. */
export const Projects = ({ organizationId, ownRole }: ProjectsProps) => {
  const { t } = useTranslation('projects')
  const off = useRoleOff(ownRole)('developer')
  const { data, error } = useQuery(projectsOf(organizationId))
  if (error !== null && data === undefined) return <Failed error={error} />
  if (data === undefined) return <Skeleton lines={4} width="100%" />
  if (data.rows.length === 0)
    return (
      <Empty
        title={t('no_projects')}
        action={
          <GoAction main off={off} to={`/organizations/${organizationId}/projects/new`}>
            {t('project.new')}
          </GoAction>
        }
      >
        {t('no_projects_why')}
      </Empty>
    )
  return (
    <div className={classes['scroll']}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{t('field.name')}</th>
            <th scope="col">{t('field.status')}</th>
            <th scope="col" className="wide">
              {t('field.description')}
            </th>
            <th scope="col">{t('field.lastActivityAt')}</th>
          </tr>
        </thead>
        <tbody>
          {data.rows.map((project) => (
            <ProjectRow key={project._id} project={project} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

const ProjectRow = ({ project }: { readonly project: Project }) => {
  const { t } = useTranslation('projects')
  const { _id, organization, name, status, description, lastActivityAt } = project
  return (
    <tr>
      <td>
        <Link to={`/organizations/${organization}/projects/${_id}`}>{name}</Link>
      </td>
      <td>
        <Status outcome={outcomes[status]}>{t(`project_status.${status}`)}</Status>
      </td>
      <td className="wide muted">{description}</td>
      <td>
        <Time at={lastActivityAt} />
      </td>
    </tr>
  )
}
