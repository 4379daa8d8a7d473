import { Type } from 'typebox'
import { DistributionData, environments, platforms, releaseStatuses, targets } from '#events/projects.ts'
import { Body, Nullable, OneOf } from '#platform/http/schemas.ts'
import { describeTransitions, Label, projectPath, readOnly } from '../deployments/index.ts'
import { projectErrors } from '../error-responses.ts'
import { pathIds } from '../path-ids.ts'
import { distributionList } from './store.ts'
import { describeTargets } from './targets.ts'

const tags = ['Distributions']

const ProjectPath = Type.Object(projectPath)
const DistributionPath = Type.Object({
  ...projectPath,
  distributionId: pathIds.distributionId,
})

const texts = {
  envVersion: Label('1.4.0'),
  storeVersion: Label('1.4.0'),
  tag: Label('v1.4.0'),
  publisher: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 255, examples: ['ayse@example.com'] }))),
  versionCode: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'For android and huawei.',
        examples: [140],
      }),
    ),
  ),
}
const NewDistributionBody = Body(
  {
    deployment: Type.String({ ...pathIds.deploymentId, description: 'Id of a deployment of this project.' }),
    target: OneOf(targets, { description: `${describeTargets()}.` }),
    platform: Type.Optional(OneOf(platforms, { description: "The deployment's, which is the default." })),
    environment: Type.Optional(OneOf(environments, { description: "Default: the deployment's." })),
    ...texts,
    status: Type.Optional(OneOf(releaseStatuses, { description: 'Only `created`: PATCH reports the outcome.' })),
  },
  readOnly,
  {
    title: 'NewDistribution',
    examples: [{ deployment: '6ab1003c8899aabbccddeeff', target: 'googlePlay', versionCode: 140 }],
  },
)
const Changes = Body(
  { ...texts, status: Type.Optional(OneOf(releaseStatuses)) },
  [...readOnly, 'deployment', 'target', 'platform', 'environment'],
  { title: 'DistributionPatch', examples: [{ status: 'succeeded' }] },
)
export const listSchema = {
  tags,
  summary: "List a project's distributions",
  description: 'The newest first, unless `ordering` says otherwise.',
  operationId: 'listDistributions',
  params: ProjectPath,
  querystring: distributionList.querystring,
  response: { 200: Type.Array(DistributionData), ...projectErrors },
}
export const createSchema = {
  tags,
  summary: 'Send a deployment to a store or to testers',
  description:
    "Raises `distribution.created`. `envVersion` and `tag` are the deployment's and `publisher` is the caller's e-mail address when they are left out; null means none. A deployment that failed or was canceled cannot be distributed.",
  operationId: 'createDistribution',
  params: ProjectPath,
  body: NewDistributionBody,
  response: { 201: DistributionData, ...projectErrors },
}
export const getSchema = {
  tags,
  summary: 'Read a distribution',
  operationId: 'getDistribution',
  params: DistributionPath,
  response: { 200: DistributionData, ...projectErrors },
}
export const updateSchema = {
  tags,
  summary: 'Report the outcome of a distribution, or change what is said of it',
  description: `${describeTransitions()} An outcome raises its event once: to report the same one again changes nothing, any other change of a distribution that has one is refused with 400. Success sets the project's \`appStatuses\` for the platform and environment, and its \`lastActivityAt\`. \`deployment\`, \`target\`, \`platform\` and \`environment\` stay as they are.`,
  operationId: 'updateDistribution',
  params: DistributionPath,
  body: Changes,
  response: { 200: DistributionData, ...projectErrors },
}
