import type { Static } from 'typebox'
import type { NewEvent } from '#delivery/outbox/outbox.ts'
import type { DeploymentData, DistributionData, ReleaseStatus } from '#events/projects.ts'
import { scopeOf } from '../dependencies.ts'

/** What the server itself keeps of a deployment or a distribution. */
export interface Release {
  readonly id: string
  readonly projectId: string
  readonly status: ReleaseStatus
  readonly createdAt: Date
  readonly updatedAt: Date
  /** When the outcome was reported. */
  readonly finishedAt: Date | null
}

type Kept = 'organization' | 'project' | '_id' | Exclude<keyof Release, 'id' | 'projectId'>
type Said<T> = { readonly [K in Exclude<keyof T, Kept>]: T[K] }

export type NewDeployment = Said<Static<typeof DeploymentData>>
/** A build or a code push of a project's app for one platform and environment. */
export type Deployment = NewDeployment & Release

export type NewDistribution = Omit<Said<Static<typeof DistributionData>>, 'deployment'> & {
  readonly deploymentId: string
}
/** A deployment on its way to a store or to testers. */
export type Distribution = NewDistribution & Release

/** The deployment as the API and subscribers see it; rows have their fields in the order of the schema. */
export const deploymentToWire = (
  organization: string,
  { id: _id, projectId: project, ...said }: Deployment,
): Static<typeof DeploymentData> => ({ _id, organization, project, ...timesToWire(said) })

export const distributionToWire = (
  organization: string,
  { id: _id, projectId: project, deploymentId: deployment, ...said }: Distribution,
): Static<typeof DistributionData> => ({ _id, organization, project, deployment, ...timesToWire(said) })

const timesToWire = <T extends Pick<Release, 'createdAt' | 'updatedAt' | 'finishedAt'>>({
  createdAt,
  updatedAt,
  finishedAt,
  ...said
}: T) => ({
  ...said,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
  finishedAt: finishedAt?.toISOString() ?? null,
})

/** The event of the status that the deployment just came to (document 1, "Events"). */
export const deploymentEvent = (organizationId: string, deployment: Deployment): NewEvent => ({
  type: `deployment.${deployment.type}.${deployment.status}`,
  data: deploymentToWire(organizationId, deployment),
  scope: scopeOf(deployment.projectId),
  object: { type: 'deployment', id: deployment.id },
})

/** The event of the status that the distribution just came to (document 1, "Events"). */
export const distributionEvent = (organizationId: string, distribution: Distribution): NewEvent => ({
  type: `distribution.${distribution.status}`,
  data: distributionToWire(organizationId, distribution),
  scope: scopeOf(distribution.projectId),
  object: { type: 'distribution', id: distribution.id },
})
