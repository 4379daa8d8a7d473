import type { LightMyRequestResponse } from 'fastify'
import { makePeople, type TestPerson } from './make-people.ts'
import type { TestApp } from './make-test-app.ts'

/** Everybody who might ask for something of an organization: one member of each role, a stranger, and a superuser. */
export const callers = ['owner', 'admin', 'developer', 'viewer', 'outsider', 'superuser'] as const
export type Caller = (typeof callers)[number]

type Authorization = Readonly<{ authorization: string }>

export interface Projects {
  readonly organizationId: string
  readonly projectId: string
  /** `/api/v1/organizations/{organizationId}` */
  readonly organizationUrl: string
  /** `/api/v1/organizations/{organizationId}/projects/{projectId}` */
  readonly projectUrl: string
  readonly people: Readonly<Record<Exclude<Caller, 'superuser'>, TestPerson>>
  /** The `authorization` header of each. */
  readonly headers: Readonly<Record<Caller, Authorization>>
  /**
   * A request of one of them.
   * @param methodAndUrl such as `GET /projects`; the URL is relative to the organization unless it begins with `/api/`.
   */
  readonly callAs: (
    caller: Caller,
    methodAndUrl: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<LightMyRequestResponse>
  /** Makes another project. @returns its id. */
  readonly makeProject: (organizationId?: string) => Promise<string>
}

/** Makes an organization with a member of each role, a project, and an outsider who owns another organization. */
export const makeProjects = async (testApp: TestApp): Promise<Projects> => {
  const { call, superuser } = testApp
  const { person, authorization } = makePeople(testApp)
  const people = {
    owner: await person(),
    admin: await person(),
    developer: await person(),
    viewer: await person(),
    outsider: await person(),
  }
  const headers = {
    owner: await authorization(people.owner),
    admin: await authorization(people.admin),
    developer: await authorization(people.developer),
    viewer: await authorization(people.viewer),
    outsider: await authorization(people.outsider),
    superuser: { authorization: superuser.authorization },
  }

  const make = async (url: string, body: object, who: Authorization): Promise<string> => {
    const answer = await call('POST', url, body, who)
    if (answer.statusCode !== 201) throw new Error(`POST ${url} made nothing: ${answer.body}`)
    return answer.json<{ _id: string }>()._id
  }
  const organizationId = await make('/api/v1/organizations', { name: 'Test organization' }, headers.owner)
  await make('/api/v1/organizations', { name: "The outsider's organization" }, headers.outsider)
  const organizationUrl = `/api/v1/organizations/${organizationId}`
  for (const role of ['admin', 'developer', 'viewer'] as const) {
    await make(`${organizationUrl}/members`, { email: people[role].email, role }, headers.owner)
  }
  let made = 0
  const makeProject = (of = organizationId): Promise<string> => {
    made += 1
    const body = { name: `Project ${made}`, slug: `project-${made}` }
    return make(`/api/v1/organizations/${of}/projects`, body, headers.superuser)
  }
  const projectId = await makeProject()

  return {
    organizationId,
    projectId,
    organizationUrl,
    projectUrl: `${organizationUrl}/projects/${projectId}`,
    people,
    headers,
    makeProject,
    callAs: (caller, methodAndUrl, body, more = {}) => {
      const [method = '', url = ''] = methodAndUrl.split(' ')
      const fullUrl = url.startsWith('/api/') ? url : `${organizationUrl}${url}`
      return call(method, fullUrl, body, { ...headers[caller], ...more })
    },
  }
}
