import type { Static } from 'typebox'
import type { NewEvent } from '#delivery/outbox/outbox.ts'
import { DeploymentData, DistributionData, type ReleaseStatus } from '#events/projects.ts'
import { makeToWire } from '#platform/http/record-shape.ts'
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

/** The deployment as the API and subscribers see it. */
export const deploymentToWire = makeToWire<Deployment, typeof DeploymentData, [organization: string]>(DeploymentData, {
  _id: 'id',
  organization: (_, organization) => organization,
  project: 'projectId',
})
export const distributionToWire = makeToWire<Distribution, typeof DistributionData, [organization: string]>(
  DistributionData,
  { _id: 'id', organization: (_, organization) => organization, project: 'projectId', deployment: 'deploymentId' },
)

/** The event of the status that the deployment just came to (document 1, "Events"). */
export const deploymentEvent = (organizationId: string, deployment: Deployment): NewEvent => ({
  type: `deployment.${deployment.type}.${deployment.status}`,
  data: deploymentToWire(deployment, organizationId),
  scope: scopeOf(deployment.projectId),
  object: { type: 'deployment', id: deployment.id },
})

/** The event of the status that the distribution just came to (document 1, "Events"). */
export const distributionEvent = (organizationId: string, distribution: Distribution): NewEvent => ({
  type: `distribution.${distribution.status}`,
  data: distributionToWire(distribution, organizationId),
  scope: scopeOf(distribution.projectId),
  object: { type: 'distribution', id: distribution.id },
})
