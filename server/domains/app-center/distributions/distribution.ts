import type { Static } from 'typebox'
import type { NewEvent } from '#delivery/outbox/outbox.ts'
import type { DistributionData, Environment, Platform, ReleaseStatus, Target } from '#events/projects.ts'
import { scopeOf } from '../dependencies.ts'

/** What PATCH can change besides the status. */
export interface DistributionTexts {
  readonly envVersion: string | null
  readonly storeVersion: string | null
  readonly tag: string | null
  readonly publisher: string | null
  /** The number by which android and huawei tell versions apart. */
  readonly versionCode: number | null
}

export interface NewDistribution extends DistributionTexts {
  readonly deploymentId: string
  readonly target: Target
  readonly platform: Platform
  readonly environment: Environment
}

/** A deployment on its way to a store or to testers. */
export interface Distribution extends NewDistribution {
  readonly id: string
  readonly projectId: string
  readonly status: ReleaseStatus
  readonly createdAt: Date
  readonly updatedAt: Date
  /** When the outcome was reported. */
  readonly finishedAt: Date | null
}

/** The distribution as the API and subscribers see it. */
export const toWire = (organizationId: string, distribution: Distribution): Static<typeof DistributionData> => ({
  _id: distribution.id,
  organization: organizationId,
  project: distribution.projectId,
  deployment: distribution.deploymentId,
  target: distribution.target,
  platform: distribution.platform,
  environment: distribution.environment,
  envVersion: distribution.envVersion,
  storeVersion: distribution.storeVersion,
  tag: distribution.tag,
  publisher: distribution.publisher,
  versionCode: distribution.versionCode,
  status: distribution.status,
  createdAt: distribution.createdAt.toISOString(),
  updatedAt: distribution.updatedAt.toISOString(),
  finishedAt: distribution.finishedAt?.toISOString() ?? null,
})

/** The event of the status that the distribution just came to (document 1, "Events"). */
export const distributionEvent = (organizationId: string, distribution: Distribution): NewEvent => ({
  type: `distribution.${distribution.status}`,
  data: toWire(organizationId, distribution),
  scope: scopeOf(distribution.projectId),
  object: { type: 'distribution', id: distribution.id },
})
