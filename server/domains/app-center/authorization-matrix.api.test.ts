import { describe, expect, test } from 'vitest'
import { makePeople } from '#testing/make-people.ts'
import { makeProjects } from '#testing/make-projects.ts'
import { makeTestApp } from '#testing/make-test-app.ts'
import { makePlaces, operationNames, operationRequests, requestFor } from '#testing/data/project-operations.ts'
import { permissions, type Operation } from './access/index.ts'

// Who may do what, written out: nothing here is worked out from the table that the server decides by, so that a change
// there has to be made here as well.

const callers = ['owner', 'admin', 'developer', 'viewer', 'outsider', 'none', 'superuser'] as const
type Row = readonly [number, number, number, number, number, number, number]

const matrix: Readonly<Record<Operation, Row>> = {
  getOrganization: [200, 200, 200, 200, 403, 401, 200],
  updateOrganization: [200, 200, 403, 403, 403, 401, 200],
  deleteOrganization: [204, 403, 403, 403, 403, 401, 204],

  listMembers: [200, 200, 200, 200, 403, 401, 200],
  addMember: [201, 201, 403, 403, 403, 401, 201],
  getMember: [200, 200, 200, 200, 403, 401, 200],
  updateMember: [200, 200, 403, 403, 403, 401, 200],
  removeMember: [204, 204, 403, 403, 403, 401, 204],

  listProjects: [200, 200, 200, 200, 403, 401, 200],
  createProject: [201, 201, 201, 403, 403, 401, 201],
  getProject: [200, 200, 200, 200, 403, 401, 200],
  updateProject: [200, 200, 200, 403, 403, 401, 200],

  listProjectWebhooks: [200, 200, 200, 200, 403, 401, 200],
  createProjectWebhook: [201, 201, 201, 403, 403, 401, 201],
  getProjectWebhook: [200, 200, 200, 200, 403, 401, 200],
  updateProjectWebhook: [200, 200, 200, 403, 403, 401, 200],
  deleteProjectWebhook: [204, 204, 204, 403, 403, 401, 204],
  getProjectWebhookSecret: [200, 200, 403, 403, 403, 401, 200],
  rotateProjectWebhookSecret: [200, 200, 403, 403, 403, 401, 200],
  revokePreviousProjectWebhookSecret: [204, 204, 403, 403, 403, 401, 204],
  pingProjectWebhook: [202, 202, 202, 403, 403, 401, 202],
  listProjectWebhookDeliveries: [200, 200, 200, 200, 403, 401, 200],
  getProjectWebhookDelivery: [200, 200, 200, 200, 403, 401, 200],
  explainProjectWebhookDelivery: [200, 200, 200, 200, 403, 401, 200],
  retryProjectWebhookDelivery: [202, 202, 202, 403, 403, 401, 202],
  getProjectWebhookHealth: [200, 200, 200, 200, 403, 401, 200],
  listProjectWebhookHealthChanges: [200, 200, 200, 200, 403, 401, 200],
  getProjectWebhookActivity: [200, 200, 200, 200, 403, 401, 200],
  recoverProjectWebhook: [202, 202, 202, 403, 403, 401, 202],

  listDeployments: [200, 200, 200, 200, 403, 401, 200],
  createDeployment: [201, 201, 201, 403, 403, 401, 201],
  getDeployment: [200, 200, 200, 200, 403, 401, 200],
  updateDeployment: [200, 200, 200, 403, 403, 401, 200],

  listDistributions: [200, 200, 200, 200, 403, 401, 200],
  createDistribution: [201, 201, 201, 403, 403, 401, 201],
  getDistribution: [200, 200, 200, 200, 403, 401, 200],
  updateDistribution: [200, 200, 200, 403, 403, 401, 200],
}

const refusals: Readonly<Record<number, object>> = {
  401: { apiError: ['Authentication credentials were not provided.'] },
  403: { apiError: ['You do not have permission to perform this action.'] },
}
/** Who is no member is not told what there is. */
const unknown = { apiError: ['You do not have permission, or there is no such organization or project.'] }

const testApp = await makeTestApp()
const { app } = testApp
const { person } = makePeople(testApp)
const projects = await makeProjects(testApp)
const makePlace = makePlaces(testApp, projects, { member: await person(), newcomer: await person() })

describe('the matrix', () => {
  test('has every operation that the server knows, and no other', () => {
    expect(operationNames.toSorted()).toEqual(Object.keys(permissions).toSorted())
  })

  test('has every route of organizations, but the two that need no membership', () => {
    const known = operationNames.map((name) => {
      const [method = '', path = ''] = operationRequests[name].route.split(' ')
      return `${method} /api/v1/organizations/:organizationId${path}`
    })
    const collection = ['GET', 'POST'].map((method) => `${method} /api/v1/organizations`)
    expect(routesOf(app.printRoutes({ commonPrefix: false }))).toEqual([...known, ...collection].toSorted())
  })
})

test.each(operationNames)('%s', async (operation) => {
  const row = matrix[operation]
  const forbidden = callers.filter((_, index) => (row[index] ?? 0) >= 400)
  const allowed = callers.filter((caller) => !forbidden.includes(caller))
  const call = async (caller: (typeof callers)[number], place: Awaited<ReturnType<typeof makePlace>>) => {
    const headers = caller === 'none' ? {} : projects.headers[caller]
    return app.inject({ ...requestFor(operation, place), headers })
  }

  const actual: Partial<Record<string, number>> = {}
  const shared = await makePlace()
  for (const caller of forbidden) {
    const answer = await call(caller, shared)
    actual[caller] = answer.statusCode
    const refusal = caller === 'outsider' ? unknown : refusals[row[callers.indexOf(caller)] ?? 0]
    expect({ caller, body: answer.json() }).toEqual({ caller, body: refusal })
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  }
  // Who changes something has a place of their own: what one has removed, another could not.
  const isRead = operationRequests[operation].route.startsWith('GET ')
  for (const caller of allowed) actual[caller] = (await call(caller, isRead ? shared : await makePlace())).statusCode
  expect(actual).toEqual(Object.fromEntries(callers.map((caller, index) => [caller, row[index]])))
})

test('listing and making organizations takes a credential, and no membership', async () => {
  const url = '/api/v1/organizations'
  const statuses = async (headers: Record<string, string>): Promise<number[]> => [
    (await app.inject({ url, headers })).statusCode,
    (await app.inject({ method: 'POST', url, payload: { name: 'Mine' }, headers })).statusCode,
  ]
  expect(await statuses(projects.headers.outsider)).toEqual([200, 201])
  expect(await statuses({})).toEqual([401, 401])
})

/** `METHOD path` of every route of organizations, from the router's own tree. */
const routesOf = (tree: string): string[] => {
  const segments: string[] = []
  const routes: string[] = []
  for (const line of tree.split('\n')) {
    const [, indent = '', name = '', methods = ''] = /^(.*?)[├└]── (\S+)(?: \((.+)\))?$/.exec(line) ?? []
    segments.length = indent.length / 4
    segments.push(name)
    const path = segments.join('').replace('//', '/')
    if (!path.startsWith('/api/v1/organizations')) continue
    // Every GET answers HEAD as well, by the same rule.
    const others = methods.split(', ').filter((method) => method !== 'HEAD' && method !== '')
    routes.push(...others.map((method) => `${method} ${path}`))
  }
  return routes.toSorted()
}
