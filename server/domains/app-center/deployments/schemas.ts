import { Type } from 'typebox'
import { DeploymentData, environments, platforms, releaseStatuses } from '#events/projects.ts'
import { Body, Nullable, OneOf } from '#platform/http/schemas.ts'
import { projectErrors } from '../error-responses.ts'
import { pathIds } from '../path-ids.ts'
import { deploymentTypes } from './deployment.ts'
import { describeTransitions } from './lifecycle.ts'
import { deploymentList } from './store.ts'

const tags = ['Deployments']

/** A version or tag, or none. */
export const Label = (example: string) =>
  Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 100, examples: [example] })))

const { organizationId, projectId, deploymentId } = pathIds
/** Parts of the path of a project, as text: what is not an id is refused by name. */
export const projectPath = { organizationId, projectId }
const ProjectPath = Type.Object(projectPath)
const DeploymentPath = Type.Object({
  ...projectPath,
  deploymentId,
})

/** What the server alone sets, on every record of this kind. */
export const readOnly = ['_id', 'organization', 'project', 'createdAt', 'updatedAt', 'finishedAt']

const texts = {
  envVersion: Label('1.4.0'),
  tag: Label('v1.4.0'),
  description: Type.Optional(Nullable(Type.String({ maxLength: 255 }))),
}
const NewDeploymentBody = Body(
  {
    type: OneOf(deploymentTypes),
    platform: OneOf(platforms),
    environment: OneOf(environments),
    ...texts,
    status: Type.Optional(OneOf(releaseStatuses, { description: 'Only `created`: PATCH reports the outcome.' })),
  },
  readOnly,
  {
    title: 'NewDeployment',
    examples: [{ type: 'build', platform: 'android', environment: 'production', tag: 'v1.4.0' }],
  },
)
const Changes = Body(
  { ...texts, status: Type.Optional(OneOf(releaseStatuses)) },
  [...readOnly, 'type', 'platform', 'environment'],
  { title: 'DeploymentPatch', examples: [{ status: 'succeeded' }] },
)
export const listSchema = {
  tags,
  summary: "List a project's deployments",
  description: 'The newest first, unless `ordering` says otherwise.',
  operationId: 'listDeployments',
  params: ProjectPath,
  querystring: deploymentList.querystring,
  response: { 200: Type.Array(DeploymentData), ...projectErrors },
}
export const createSchema = {
  tags,
  summary: 'Start a deployment',
  description: 'Raises `deployment.build.created` or `deployment.codePush.created`.',
  operationId: 'createDeployment',
  params: ProjectPath,
  body: NewDeploymentBody,
  response: { 201: DeploymentData, ...projectErrors },
}
export const getSchema = {
  tags,
  summary: 'Read a deployment',
  operationId: 'getDeployment',
  params: DeploymentPath,
  response: { 200: DeploymentData, ...projectErrors },
}
export const updateSchema = {
  tags,
  summary: 'Report the outcome of a deployment, or change what is said of it',
  description: `${describeTransitions()} An outcome raises its event once: to report the same one again changes nothing, any other change of a deployment that has one is refused with 400. \`type\`, \`platform\` and \`environment\` stay as they are.`,
  operationId: 'updateDeployment',
  params: DeploymentPath,
  body: Changes,
  response: { 200: DeploymentData, ...projectErrors },
}
