import type { Projects } from '../make-projects.ts'
import type { TestApp } from '../make-test-app.ts'

/** An organization with something of every kind in it: what the parameters of paths stand for. */
export interface Place {
  readonly organizationId: string
  /** A member who is a viewer, and none of the callers. */
  readonly userId: number | string
  readonly projectId: string
  readonly webhookId: string
  readonly deliveryId: string
  readonly deploymentId: string
  readonly distributionId: string
  /** E-mail of somebody who is no member. */
  readonly newcomer: string
}

interface OperationRequest {
  /** Method and path below `/api/v1/organizations/:organizationId`. */
  readonly route: `${'GET' | 'POST' | 'PATCH' | 'DELETE'} ${string}`
  /** A body that is valid there. */
  readonly body?: (place: Place) => object
}

const project = '/projects/:projectId'
const webhook = `${project}/settings/webhooks/:webhookId` as const
const deliveries = `${webhook}/deliveries` as const
const hook = { name: 'Hook', url: 'https://example.com/hook', events: ['distribution.created'] }
const build = { type: 'build', platform: 'android', environment: 'production' }

/** A valid request for each operation on an organization. */
export const operationRequests = {
  getOrganization: { route: 'GET ' },
  updateOrganization: { route: 'PATCH ', body: () => ({ name: 'Renamed' }) },
  deleteOrganization: { route: 'DELETE ' },

  listMembers: { route: 'GET /members' },
  addMember: { route: 'POST /members', body: ({ newcomer }) => ({ email: newcomer, role: 'viewer' }) },
  getMember: { route: 'GET /members/:userId' },
  updateMember: { route: 'PATCH /members/:userId', body: () => ({ role: 'developer' }) },
  removeMember: { route: 'DELETE /members/:userId' },

  listProjects: { route: 'GET /projects' },
  createProject: { route: 'POST /projects', body: () => ({ name: 'New', slug: 'new' }) },
  getProject: { route: `GET ${project}` },
  updateProject: { route: `PATCH ${project}`, body: () => ({ name: 'Renamed' }) },

  listProjectWebhooks: { route: `GET ${project}/settings/webhooks` },
  createProjectWebhook: { route: `POST ${project}/settings/webhooks`, body: () => hook },
  getProjectWebhook: { route: `GET ${webhook}` },
  updateProjectWebhook: { route: `PATCH ${webhook}`, body: () => ({ name: 'Renamed' }) },
  deleteProjectWebhook: { route: `DELETE ${webhook}` },
  getProjectWebhookSecret: { route: `GET ${webhook}/secret` },
  rotateProjectWebhookSecret: { route: `POST ${webhook}/secret`, body: () => ({}) },
  revokePreviousProjectWebhookSecret: { route: `DELETE ${webhook}/secret/previous` },
  pingProjectWebhook: { route: `POST ${webhook}/ping`, body: () => ({}) },
  listProjectWebhookDeliveries: { route: `GET ${deliveries}` },
  getProjectWebhookDelivery: { route: `GET ${deliveries}/:deliveryId` },
  explainProjectWebhookDelivery: { route: `GET ${deliveries}/:deliveryId/explain` },
  retryProjectWebhookDelivery: { route: `POST ${deliveries}/:deliveryId/retry`, body: () => ({ force: true }) },
  getProjectWebhookHealth: { route: `GET ${webhook}/health` },
  listProjectWebhookHealthChanges: { route: `GET ${webhook}/health/history` },
  getProjectWebhookActivity: { route: `GET ${webhook}/activity` },
  recoverProjectWebhook: { route: `POST ${webhook}/recover`, body: () => ({}) },

  listDeployments: { route: `GET ${project}/deployments` },
  createDeployment: { route: `POST ${project}/deployments`, body: () => build },
  getDeployment: { route: `GET ${project}/deployments/:deploymentId` },
  updateDeployment: { route: `PATCH ${project}/deployments/:deploymentId`, body: () => ({ status: 'failed' }) },

  listDistributions: { route: `GET ${project}/distributions` },
  createDistribution: {
    route: `POST ${project}/distributions`,
    body: ({ deploymentId }) => ({ deployment: deploymentId, target: 'testers' }),
  },
  getDistribution: { route: `GET ${project}/distributions/:distributionId` },
  updateDistribution: {
    route: `PATCH ${project}/distributions/:distributionId`,
    body: () => ({ status: 'failed' }),
  },
} as const satisfies Readonly<Record<string, OperationRequest>>

export type OperationName = keyof typeof operationRequests
export const operationNames = Object.keys(operationRequests) as OperationName[]

/** Names of the parameters in the path of an operation. */
export const parametersOf = (operation: OperationName): (keyof Place)[] => [
  'organizationId',
  ...[...operationRequests[operation].route.matchAll(/:(\w+)/g)].map(([, name]) => name as keyof Place),
]

/** The request of an operation on a place, without a credential. */
export const requestFor = (operation: OperationName, place: Place) => {
  const { route, body }: OperationRequest = operationRequests[operation]
  const [method = '', path = ''] = route.split(' ')
  const below = path.replaceAll(/:(\w+)/g, (_, name: keyof Place) => String(place[name]))
  return {
    method,
    url: `/api/v1/organizations/${place.organizationId}${below}`,
    ...(body === undefined ? {} : { payload: body(place) }),
  }
}

/**
 * Makes organizations with something of every kind, with the members of `projects` in their roles.
 * @param others a person to be the member who is none of the callers, and one who is no member.
 */
export const makePlaces = (
  { call }: TestApp,
  { headers, people }: Projects,
  others: { readonly member: { id: number; email: string }; readonly newcomer: { email: string } },
): (() => Promise<Place>) => {
  const post = async <T>(url: string, body: object): Promise<T> => {
    const answer = await call('POST', url, body, headers.owner)
    if (answer.statusCode >= 300) throw new Error(`POST ${url} made nothing: ${answer.body}`)
    const made = answer.json<T>()
    // A new webhook is named by its address alone.
    return { ...made, at: String(answer.headers['location']).split('/').at(-1) }
  }
  return async () => {
    const { _id: organizationId } = await post<{ _id: string }>('/api/v1/organizations', { name: 'Place' })
    const url = `/api/v1/organizations/${organizationId}`
    for (const role of ['admin', 'developer', 'viewer'] as const) {
      await post(`${url}/members`, { email: people[role].email, role })
    }
    await post(`${url}/members`, { email: others.member.email, role: 'viewer' })
    const { _id: projectId } = await post<{ _id: string }>(`${url}/projects`, { name: 'Project', slug: 'project' })
    const projectUrl = `${url}/projects/${projectId}`
    const { at: webhookId } = await post<{ at: string }>(`${projectUrl}/settings/webhooks`, hook)
    const ping = await post<{ delivery: string }>(`${projectUrl}/settings/webhooks/${webhookId}/ping`, {})
    const { _id: deploymentId } = await post<{ _id: string }>(`${projectUrl}/deployments`, build)
    const distribution = { deployment: deploymentId, target: 'testers' }
    const { _id: distributionId } = await post<{ _id: string }>(`${projectUrl}/distributions`, distribution)
    return {
      organizationId,
      userId: others.member.id,
      projectId,
      webhookId,
      deliveryId: ping.delivery,
      deploymentId,
      distributionId,
      newcomer: others.newcomer.email,
    }
  }
}
