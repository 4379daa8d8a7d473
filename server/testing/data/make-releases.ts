import type { Static } from 'typebox'
import type { DeploymentData, DistributionData } from '#events/projects.ts'
import type { Projects } from '../make-projects.ts'
import type { TestApp } from '../make-test-app.ts'

export type DeploymentBody = Static<typeof DeploymentData>
export type DistributionBody = Static<typeof DistributionData>

/** An event as it is stored. */
export interface StoredEvent {
  readonly type: string
  readonly scope: string
  readonly sequence: number | null
  readonly data: Record<string, unknown>
}

export interface Releases {
  /** A new build of the project's android app for production. Throws when the server refuses. */
  readonly deployment: (fields?: object, projectUrl?: string) => Promise<DeploymentBody>
  /** A new distribution to testers, of a deployment of its own unless the fields name one. */
  readonly distribution: (fields?: object, projectUrl?: string) => Promise<DistributionBody>
  /** All events about an object, in their order. */
  readonly eventsOf: (kind: 'deployment' | 'distribution', id: string) => Promise<StoredEvent[]>
}

/** Deployments and distributions for tests, made through the API by the project's developer. */
export const makeReleases = ({ database }: Pick<TestApp, 'database'>, { callAs, projectUrl }: Projects): Releases => {
  const post = async <T>(url: string, body: object): Promise<T> => {
    const answer = await callAs('developer', `POST ${url}`, body)
    if (answer.statusCode !== 201) throw new Error(`POST ${url} made nothing: ${answer.body}`)
    return answer.json<T>()
  }
  const deployment = (fields: object = {}, url = projectUrl): Promise<DeploymentBody> =>
    post(`${url}/deployments`, { type: 'build', platform: 'android', environment: 'production', ...fields })

  return {
    deployment,
    async distribution(fields = {}, url = projectUrl) {
      const of = 'deployment' in fields ? {} : { deployment: (await deployment({}, url))._id }
      return post(`${url}/distributions`, { target: 'testers', ...of, ...fields })
    },
    async eventsOf(kind, id) {
      const rows = await database.db
        .selectFrom('events')
        .select(['type', 'scope', 'sequence', 'body'])
        .where('objectType', '=', kind)
        .where('objectId', '=', id)
        .orderBy('sequence')
        .execute()
      return rows.map(({ body, ...row }) => ({ ...row, data: (JSON.parse(body) as Pick<StoredEvent, 'data'>).data }))
    },
  }
}
