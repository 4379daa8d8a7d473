import { Type, type Static, type TProperties, type TSchema } from 'typebox'
import {
  DeploymentData,
  deploymentTypes,
  DistributionData,
  environments,
  platforms,
  releaseStatuses,
  targets,
} from '#events/projects.ts'
import { Body, CheckedElsewhere, Nullable, OneOf } from '#platform/http/schemas.ts'
import { pathIds } from '../schemas.ts'
import { describeTransitions } from './lifecycle.ts'
import { describeTargets } from './targets.ts'

/** What the server alone sets, on every record of this kind. */
const readOnly = ['_id', 'organization', 'project', 'createdAt', 'updatedAt', 'finishedAt']

interface Described<F extends TProperties, T extends TProperties> {
  readonly name: 'Deployment' | 'Distribution'
  readonly record: TSchema
  /** Fields that POST alone sets. */
  readonly fixed: F
  /** Fields that PATCH can change too. */
  readonly texts: T
  readonly example: object
  readonly create: readonly [summary: string, description: string]
  /** What the description of PATCH ends with. */
  readonly stays: string
}

/** What the routes of one kind of release take, answer and say of themselves. */
const releaseSchemas = <F extends TProperties, T extends TProperties>(described: Described<F, T>) => {
  const { name, fixed, texts, example, stays } = described
  const word = name === 'Deployment' ? 'deployment' : 'distribution'
  return {
    ...described,
    params: Type.Object({ ...inProject, [`${word}Id`]: pathIds[`${word}Id`] }),
    NewBody: Body(
      {
        ...fixed,
        ...texts,
        status: Type.Optional(
          CheckedElsewhere(OneOf(releaseStatuses, { description: 'Only `created`: PATCH reports the outcome.' }), {
            enum: ['created'],
          }),
        ),
      },
      readOnly,
      { title: `New${name}`, examples: [example] },
    ),
    Changes: Body({ ...texts, status: Type.Optional(OneOf(releaseStatuses)) }, [...readOnly, ...Object.keys(fixed)], {
      title: `${name}Patch`,
      examples: [{ status: 'succeeded' }],
    }),
    update: [
      `Report the outcome of a ${word}, or change what is said of it`,
      `${describeTransitions()} An outcome raises its event once: to report the same one again changes nothing, any other change of a ${word} that has one is refused with 400. ${stays}`,
    ] as const,
  }
}
const { organizationId, projectId } = pathIds
const inProject = { organizationId, projectId }
export const ProjectPath = Type.Object(inProject)

/** A version or tag, or none. */
const Label = (example: string) =>
  Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 100, examples: [example] })))

export const deploymentSchemas = releaseSchemas({
  name: 'Deployment',
  record: DeploymentData,
  fixed: { type: OneOf(deploymentTypes), platform: OneOf(platforms), environment: OneOf(environments) },
  texts: {
    envVersion: Label('1.4.0'),
    tag: Label('v1.4.0'),
    description: Type.Optional(Nullable(Type.String({ maxLength: 255 }))),
  },
  example: { type: 'build', platform: 'android', environment: 'production', tag: 'v1.4.0' },
  create: ['Start a deployment', 'Raises `deployment.build.created` or `deployment.codePush.created`.'],
  stays: '`type`, `platform` and `environment` stay as they are.',
})
export type DeploymentBody = Static<typeof deploymentSchemas.NewBody>

const versionCode = { minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'For android and huawei.' }

export const distributionSchemas = releaseSchemas({
  name: 'Distribution',
  record: DistributionData,
  fixed: {
    deployment: Type.String({ ...pathIds.deploymentId, description: 'Id of a deployment of this project.' }),
    target: OneOf(targets, { description: `${describeTargets()}.` }),
    platform: Type.Optional(OneOf(platforms, { description: "The deployment's, which is the default." })),
    environment: Type.Optional(OneOf(environments, { description: "Default: the deployment's." })),
  },
  texts: {
    envVersion: Label('1.4.0'),
    storeVersion: Label('1.4.0'),
    tag: Label('v1.4.0'),
    publisher: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 255, examples: ['ayse@example.com'] }))),
    versionCode: Type.Optional(Nullable(Type.Integer({ ...versionCode, examples: [140] }))),
  },
  example: { deployment: '6ab1003c8899aabbccddeeff', target: 'googlePlay', versionCode: 140 },
  create: [
    'Send a deployment to a store or to testers',
    "Raises `distribution.created`. `envVersion` and `tag` are the deployment's and `publisher` is the caller's e-mail address when they are left out; null means none. A deployment that failed or was canceled cannot be distributed.",
  ],
  stays:
    "Success sets the project's `appStatuses` for the platform and environment, and its `lastActivityAt`. `deployment`, `target`, `platform` and `environment` stay as they are.",
})
export type DistributionBody = Static<typeof distributionSchemas.NewBody>
