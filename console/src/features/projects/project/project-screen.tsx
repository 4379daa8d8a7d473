import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { addressOf } from '#api/queries.ts'
import { GoAction } from '#ui/go-action.tsx'
import { Link } from '#ui/link.tsx'
import { ListAndDrawer } from '#ui/list-and-drawer.tsx'
import { Page } from '#ui/page.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { Failed, Skeleton } from '#ui/states.tsx'
import { organizationOf } from '../organization/organization-queries.ts'
import { useRoleOff } from '../rights.ts'
import { AppStatuses } from './app-statuses.tsx'
import { Credentials } from './credentials.tsx'
import { Expiries } from './expiries.tsx'
import {
  deploymentsOf,
  distributionsOf,
  pageOf,
  project as projectRoute,
  projectOf,
  useProjectPath,
  webhooksOf,
} from './project-queries.ts'
import { Releases } from './releases.tsx'
import { Webhooks } from './webhooks.tsx'

export const asks = ({ params }: Address): readonly AnyQuery[] => {
  const path = { organizationId: params['organizationId'] ?? '', projectId: params['projectId'] ?? '' }
  return [
    organizationOf(path.organizationId),
    projectOf(path),
    deploymentsOf(path),
    distributionsOf(path),
    webhooksOf(path),
  ]
}

/** One project: what of it is out, what ends soon, and how its releases went. */
export const ProjectScreen = () => {
  const { t } = useTranslation('projects')
  const path = useProjectPath()
  const { data, error, refetch } = useQuery(projectOf(path))
  const { data: owner } = useQuery(organizationOf(path.organizationId))
  const off = useRoleOff(owner?.role)('developer')
  if (data === undefined)
    return error === null ? <Skeleton lines={18} width="100%" /> : <Failed error={error} retry={() => void refetch()} />
  const actions = (
    <>
      <GoAction off={off} to={`${pageOf(path)}/edit`}>
        {t('project.change')}
      </GoAction>
      <GoAction off={off} to={`${pageOf(path)}/distributions/new`}>
        {t('distribution.new')}
      </GoAction>
      <GoAction main off={off} to={`${pageOf(path)}/deployments/new`}>
        {t('deployment.new')}
      </GoAction>
    </>
  )
  return (
    <ListAndDrawer>
      <Page
        title={data.name}
        about={
          <>
            <Link to={`/organizations/${path.organizationId}`}>{owner?.name ?? t('organization')}</Link> ·{' '}
            <code>{data.slug}</code> · {t(`project_status.${data.status}`)}{' '}
            {data.description !== '' && `· ${data.description}`}
          </>
        }
        actions={actions}
        request={{ url: addressOf(projectRoute, { path }) }}
      >
        <AppStatuses path={path} statuses={data.appStatuses} off={off} />
        <Expiries project={data} />
        <Credentials path={path} project={data} />
        <Releases path={path} off={off} />
        <Webhooks path={path} off={off} />
      </Page>
    </ListAndDrawer>
  )
}
