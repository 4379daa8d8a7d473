import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { addressOf } from '#api/queries.ts'
import { GoAction } from '#ui/go-action.tsx'
import { ListAndDrawer } from '#ui/list-and-drawer.tsx'
import { Page } from '#ui/page.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { Failed, Skeleton } from '#ui/states.tsx'
import { useParam } from '#ui/use-params.ts'
import { useRoleOff } from '../rights.ts'
import { DeleteOrganization } from './delete-organization.tsx'
import { Members } from './members.tsx'
import { membersOf, organization, organizationOf, projectsOf } from './organization-queries.ts'
import { Projects } from './projects.tsx'

export const asks = ({ params }: Address): readonly AnyQuery[] => {
  const id = params['organizationId'] ?? ''
  return [organizationOf(id), projectsOf(id), membersOf(id)]
}

/** One organization: its projects, and who works on them. */
export const OrganizationScreen = () => {
  const { t } = useTranslation('projects')
  const id = useParam('organizationId')
  const { data, error, refetch } = useQuery(organizationOf(id))
  const off = useRoleOff(data?.role)
  if (data === undefined)
    return error === null ? <Skeleton lines={14} width="100%" /> : <Failed error={error} retry={() => void refetch()} />
  const actions = (
    <>
      <GoAction off={off('admin')} to={`/organizations/${id}/edit`}>
        {t('organizations.change')}
      </GoAction>
      <DeleteOrganization organization={data} />
      <GoAction main off={off('developer')} to={`/organizations/${id}/projects/new`}>
        {t('project.new')}
      </GoAction>
    </>
  )
  return (
    <ListAndDrawer>
      <Page
        title={data.name}
        about={data.description === '' ? t('you_are', { role: t(`role.${data.role}`) }) : data.description}
        actions={actions}
        request={{ url: addressOf(organization, { path: { organizationId: id } }) }}
      >
        <section className="stack">
          <h2>{t('projects')}</h2>
          <Projects organizationId={id} ownRole={data.role} />
        </section>
        <section className="stack">
          <h2>{t('members.title')}</h2>
          <Members organizationId={id} ownRole={data.role} />
        </section>
      </Page>
    </ListAndDrawer>
  )
}
