import { Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { Status } from '#ui/status.tsx'
import { Time } from '#ui/time.tsx'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import { project, type ProjectPath } from './project-queries.ts'
import { endings, outcomes, type Deployment, type Distribution, type ReleaseStatus } from './release-words.ts'

interface DeploymentRowProps {
  readonly path: ProjectPath
  readonly off: string | undefined
  readonly deployment: Deployment
}

/** A build, or code that installed apps load. */
export const DeploymentRow = ({ path, off, deployment }: DeploymentRowProps) => {
  const { t } = useTranslation('projects')
  const sending = useSend('patch', `${project}/deployments/{deploymentId}`)
  const { _id: deploymentId, type, platform, envVersion, tag, description } = deployment
  const report = (status: ReleaseStatus): void =>
    sending.mutate(
      { path: { ...path, deploymentId }, body: { status } },
      { onSuccess: () => toastDone(t(`reported.${status}`)), onError: toastFailed },
    )
  return (
    <Row release={deployment} report={report} isSending={sending.isPending} off={off}>
      <b>{t(`type.${type}`)}</b> {t(`platform.${platform}`)} {envVersion} <code>{tag}</code>{' '}
      <span className="muted">{description}</span>
    </Row>
  )
}

interface DistributionRowProps {
  readonly path: ProjectPath
  readonly off: string | undefined
  readonly distribution: Distribution
}

/** A build on its way to a store or to testers. */
export const DistributionRow = ({ path, off, distribution }: DistributionRowProps) => {
  const { t } = useTranslation('projects')
  const sending = useSend('patch', `${project}/distributions/{distributionId}`)
  const { _id: distributionId, target, platform, envVersion, storeVersion, publisher } = distribution
  const report = (status: ReleaseStatus): void =>
    sending.mutate(
      { path: { ...path, distributionId }, body: { status } },
      { onSuccess: () => toastDone(t(`reported.${status}`)), onError: toastFailed },
    )
  return (
    <Row release={distribution} report={report} isSending={sending.isPending} off={off}>
      <b>{t(`target.${target}`)}</b> {t(`platform.${platform}`)} {storeVersion ?? envVersion}{' '}
      <span className="muted">{publisher}</span>
    </Row>
  )
}

interface RowProps {
  readonly release: Pick<Deployment, 'createdAt' | 'status' | 'environment'>
  readonly report: (status: ReleaseStatus) => void
  readonly isSending: boolean
  /** Why the caller may not report what came of it. */
  readonly off: string | undefined
  readonly children: ReactNode
}

const Row = ({ release, report, isSending, off, children }: RowProps) => {
  const { t } = useTranslation('projects')
  return (
    <li>
      <Time at={release.createdAt} />
      <span>
        <Status outcome={outcomes[release.status]}>{t(`release_status.${release.status}`)}</Status>
      </span>
      <span>
        {children} <span className="small muted">{t(`environment.${release.environment}`)}</span>
      </span>
      {release.status === 'created' ? <Outcomes report={report} isSending={isSending} off={off} /> : <span />}
    </li>
  )
}

const Outcomes = ({ report, isSending, off }: Pick<RowProps, 'report' | 'isSending' | 'off'>) => {
  const { t } = useTranslation('projects')
  if (off !== undefined) return <Action off={off}>{t('report')}</Action>
  return (
    <Menu>
      <Menu.Target>
        <Action loading={isSending}>{t('report')}</Action>
      </Menu.Target>
      <Menu.Dropdown>
        {endings.map((status) => (
          <Menu.Item key={status} onClick={() => report(status)}>
            {t(`release_status.${status}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
