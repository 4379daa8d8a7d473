import type { Static } from 'typebox'
import type { NewEvent } from '#delivery/outbox/outbox.ts'
import type { DeploymentData, Environment, Platform, ReleaseStatus } from '#events/projects.ts'
import { scopeOf } from '../dependencies.ts'

export const deploymentTypes = ['build', 'codePush'] as const

/** What PATCH can change besides the status. */
export interface DeploymentTexts {
  readonly envVersion: string | null
  readonly tag: string | null
  readonly description: string | null
}

export interface NewDeployment extends DeploymentTexts {
  readonly type: (typeof deploymentTypes)[number]
  readonly platform: Platform
  readonly environment: Environment
}

/** A build or a code push of a project's app for one platform and environment. */
export interface Deployment extends NewDeployment {
  readonly id: string
  readonly projectId: string
  readonly status: ReleaseStatus
  readonly createdAt: Date
  readonly updatedAt: Date
  /** When the outcome was reported. */
  readonly finishedAt: Date | null
}

/** The deployment as the API and subscribers see it. */
export const toWire = (organizationId: string, deployment: Deployment): Static<typeof DeploymentData> => ({
  _id: deployment.id,
  organization: organizationId,
  project: deployment.projectId,
  type: deployment.type,
  platform: deployment.platform,
  environment: deployment.environment,
  envVersion: deployment.envVersion,
  tag: deployment.tag,
  description: deployment.description,
  status: deployment.status,
  createdAt: deployment.createdAt.toISOString(),
  updatedAt: deployment.updatedAt.toISOString(),
  finishedAt: deployment.finishedAt?.toISOString() ?? null,
})

/** The event of the status that the deployment just came to (document 1, "Events"). */
export const deploymentEvent = (organizationId: string, deployment: Deployment): NewEvent => ({
  type: `deployment.${deployment.type}.${deployment.status}`,
  data: toWire(organizationId, deployment),
  scope: scopeOf(deployment.projectId),
  object: { type: 'deployment', id: deployment.id },
})
