import { Type } from 'typebox'
import { Nullable, OneOf } from '#platform/http/schemas.ts'
import { defineEvent } from './event.ts'

const ObjectId = Type.String({ pattern: '^[0-9a-f]{24}$' })
const Time = Type.String({ format: 'date-time' })
const OptionalText = Nullable(Type.String())

export const platforms = ['android', 'huawei', 'ios'] as const
export const environments = ['production', 'staging'] as const
export const releaseStatuses = ['created', 'succeeded', 'failed', 'canceled'] as const
export const deploymentTypes = ['build', 'codePush'] as const
export const targets = ['googlePlay', 'appleAppStore', 'huaweiAppGallery', 'testers'] as const
export type Platform = (typeof platforms)[number]
export type Environment = (typeof environments)[number]
export type Target = (typeof targets)[number]
/** Of a deployment or a distribution. */
export type ReleaseStatus = (typeof releaseStatuses)[number]

// What is delivered and what is answered have their fields in the order of these schemas.
const identity = { _id: ObjectId, organization: ObjectId, project: ObjectId }
const builtFor = { platform: OneOf(platforms), environment: OneOf(environments), envVersion: OptionalText }
const outcome = {
  status: OneOf(releaseStatuses),
  createdAt: Time,
  updatedAt: Time,
  finishedAt: Type.Union([Time, Type.Null()], { description: 'When the outcome was reported.' }),
}

/** A deployment as subscribers see it (contract, section 3). */
export const DeploymentData = Type.Object(
  {
    ...identity,
    type: OneOf(deploymentTypes),
    ...builtFor,
    tag: OptionalText,
    description: OptionalText,
    ...outcome,
  },
  { title: 'Deployment', description: 'A build or a code push of an app.' },
)

/** A distribution as subscribers see it: a deployment on its way to a store or to testers (contract, sections 3 and 11). */
export const DistributionData = Type.Object(
  {
    ...identity,
    deployment: ObjectId,
    target: OneOf(targets),
    ...builtFor,
    storeVersion: OptionalText,
    tag: OptionalText,
    publisher: OptionalText,
    versionCode: Nullable(Type.Integer()),
    ...outcome,
  },
  { title: 'Distribution', description: 'A deployment on its way to a store or to testers.' },
)

const place = { organization: '6ab0ff00112233445566778a', project: '6ab0ff00112233445566778b' }
const android = { platform: 'android', environment: 'production', envVersion: '1.4.0' } as const
const reported = (status: ReleaseStatus) => {
  const finishedAt = status === 'created' ? null : '2026-11-21T09:41:00.000Z'
  const createdAt = '2026-11-21T09:30:00.000Z'
  return { status, createdAt, updatedAt: finishedAt ?? createdAt, finishedAt }
}

const deploymentEvent = (description: string, type: (typeof deploymentTypes)[number], status: ReleaseStatus) =>
  defineEvent({
    description,
    about: 'deployment',
    schema: DeploymentData,
    example: {
      _id: '6ab0ff00112233445566778c',
      ...place,
      type,
      ...android,
      tag: 'v1.4.0',
      description: null,
      ...reported(status),
    },
  })

const distributionEvent = (description: string, status: ReleaseStatus) =>
  defineEvent({
    description,
    about: 'distribution',
    schema: DistributionData,
    example: {
      _id: '6ab0ff00112233445566778d',
      ...place,
      deployment: '6ab0ff00112233445566778c',
      target: 'googlePlay' as const,
      ...android,
      storeVersion: '1.4.0',
      tag: 'v1.4.0',
      publisher: 'ayse@example.com',
      versionCode: 140,
      ...reported(status),
    },
  })

/** What a project webhook can subscribe to (document 1, "Events"). */
export const projectEvents = {
  'deployment.build.created': deploymentEvent('A build is started.', 'build', 'created'),
  'deployment.build.succeeded': deploymentEvent('A build succeeds.', 'build', 'succeeded'),
  'deployment.build.failed': deploymentEvent('A build fails.', 'build', 'failed'),
  'deployment.build.canceled': deploymentEvent('A build is canceled.', 'build', 'canceled'),
  'deployment.codePush.created': deploymentEvent('A code push is started.', 'codePush', 'created'),
  'deployment.codePush.succeeded': deploymentEvent('A code push succeeds.', 'codePush', 'succeeded'),
  'deployment.codePush.failed': deploymentEvent('A code push fails.', 'codePush', 'failed'),
  'deployment.codePush.canceled': deploymentEvent('A code push is canceled.', 'codePush', 'canceled'),
  'distribution.created': distributionEvent('A deployment is sent to a store or to testers.', 'created'),
  'distribution.succeeded': distributionEvent('A distribution succeeds.', 'succeeded'),
  'distribution.failed': distributionEvent('A distribution fails.', 'failed'),
  'distribution.canceled': distributionEvent('A distribution is canceled.', 'canceled'),
}
