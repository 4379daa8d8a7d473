import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { addressOf, listOf, recordOf } from '#api/queries.ts'
import type { Schema } from '#api/types.ts'
import { Link } from '#ui/link.tsx'
import { Page } from '#ui/page.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { Failed, Skeleton } from '#ui/states.tsx'
import { Status, type Outcome } from '#ui/status.tsx'
import { Time } from '#ui/time.tsx'
import { useParam } from '#ui/use-params.ts'
import { Members, membersOf } from './members.tsx'
import classes from './projects.module.css'

type Project = Schema<'Project'>

const organizationOf = (organizationId: string) =>
  recordOf('/api/v1/organizations/{organizationId}', { path: { organizationId } })
const projectsOf = (organizationId: string) =>
  listOf('/api/v1/organizations/{organizationId}/projects', {
    path: { organizationId },
    query: { limit: 100, ordering: 'name' },
  })

export const asks = ({ params }: Address): readonly AnyQuery[] => {
  const id = params['organizationId'] ?? ''
  return [organizationOf(id), projectsOf(id), membersOf(id)]
}

/** One organization: its projects, and who works on them. */
export const OrganizationScreen = () => {
  const { t } = useTranslation('projects')
  const id = useParam('organizationId')
  const { data, error, refetch } = useQuery(organizationOf(id))
  if (data === undefined)
    return error === null ? <Skeleton lines={14} width="100%" /> : <Failed error={error} retry={() => void refetch()} />
  return (
    <Page
      title={data.name}
      about={data.description === '' ? t('you_are', { role: t(`role.${data.role}`) }) : data.description}
      request={{ url: addressOf('/api/v1/organizations/{organizationId}', { path: { organizationId: id } }) }}
    >
      <section className="stack">
        <h2>{t('projects')}</h2>
        <Projects organizationId={id} />
      </section>
      <section className="stack">
        <h2>{t('members.title')}</h2>
        <Members organizationId={id} ownRole={data.role} />
      </section>
    </Page>
  )
}

const outcomes: Record<Project['status'], Outcome> = { active: 'ok', inactive: 'idle', draft: 'wait' }

const Projects = ({ organizationId }: { readonly organizationId: string }) => {
  const { t } = useTranslation('projects')
  const { data, error } = useQuery(projectsOf(organizationId))
  if (error !== null && data === undefined) return <Failed error={error} />
  if (data === undefined) return <Skeleton lines={4} width="100%" />
  if (data.rows.length === 0) return <p className="muted">{t('no_projects')}</p>
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
            <tr key={project._id}>
              <td>
                <Link to={`/organizations/${organizationId}/projects/${project._id}`}>{project.name}</Link>
              </td>
              <td>
                <Status outcome={outcomes[project.status]}>{t(`project_status.${project.status}`)}</Status>
              </td>
              <td className="wide muted">{project.description}</td>
              <td>
                <Time at={project.lastActivityAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
