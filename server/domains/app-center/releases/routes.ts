import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { orNotFound } from '#platform/errors.ts'
import type { Page } from '#platform/lists/page.ts'
import { sendList } from '#platform/lists/send-list.ts'
import type { Sent } from '#platform/sent-fields.ts'
import { makeMemberWrite, memberAccess, objectIdOf } from '../access/index.ts'
import type { Dependencies } from '../dependencies.ts'
import { makeReleaseChanges, type ReleaseRules } from './change-release.ts'
import { deploymentRules } from './deployment.ts'
import { distributionRules, type AskedDistribution } from './distribution.ts'
import { deploymentToWire, distributionToWire, type Release } from './release.ts'
import { deploymentSchemas, distributionSchemas, type DeploymentBody, type DistributionBody } from './schemas.ts'
import type { ReleaseChanges } from './store.ts'

type App = Parameters<FastifyPluginAsyncTypebox>[0]

/** Builds and code pushes of a project, and these on their way to stores and testers (contract, sections 3 and 11). */
export const releaseRoutes =
  (dependencies: Dependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    addRoutes(app, dependencies, {
      name: 'Deployment',
      rules: deploymentRules,
      schemas: deploymentSchemas,
      toWire: deploymentToWire,
      texts: ['envVersion', 'tag', 'description'],
      read: (body: DeploymentBody) => {
        const { type, platform, environment, envVersion = null, tag = null, description = null } = body
        return { type, platform, environment, envVersion, tag, description, status: body.status ?? 'created' }
      },
    })
    addRoutes(app, dependencies, {
      name: 'Distribution',
      rules: distributionRules,
      schemas: distributionSchemas,
      toWire: distributionToWire,
      texts: ['envVersion', 'storeVersion', 'tag', 'publisher', 'versionCode'],
      read: (body: DistributionBody): AskedDistribution => {
        const { deployment, target, platform, environment, status } = body
        const { envVersion, storeVersion = null, tag, publisher, versionCode = null } = body
        const texts = { envVersion, storeVersion, tag, publisher, versionCode }
        return { deploymentId: objectIdOf('deployment', deployment), target, platform, environment, status, ...texts }
      },
    })
  }

interface ReleaseKind<N, Asked, B> {
  readonly name: 'Deployment' | 'Distribution'
  readonly rules: ReleaseRules<N, Asked>
  readonly schemas: typeof deploymentSchemas | typeof distributionSchemas
  readonly toWire: (organizationId: string, release: N & Release) => { readonly _id: string }
  /** Fields that PATCH can change. */
  readonly texts: readonly (keyof N & string)[]
  readonly read: (body: B) => Asked
}

const addRoutes = <N extends object, Asked, B>(
  app: App,
  dependencies: Dependencies,
  kind: ReleaseKind<N, Asked, B>,
) => {
  const { db, baseUrl } = dependencies
  const { name, rules, schemas, toWire } = kind
  const { what, store } = rules
  const path = `/api/v1/organizations/:organizationId/projects/:projectId/${what}s`
  const one = `${path}/:${what}Id`
  const write = makeMemberWrite(dependencies.write)
  const changes = makeReleaseChanges(dependencies, rules)
  const idOf = (params: object): string =>
    objectIdOf(`${what}Id`, (params as Readonly<Record<string, string>>)[`${what}Id`] ?? '')

  const list = { schema: schemas.list, config: memberAccess(`list${name}s`, 'projects:read') }
  app.get(path, list, async ({ member, query }, reply) => {
    const found = await store.list(db, query as Page, member.projectId)
    return sendList(reply, baseUrl(), found, (row) => toWire(member.organizationId, row))
  })

  const create = { schema: schemas.create, config: memberAccess(`create${name}`, 'projects:write') }
  app.post(path, create, async (request, reply) => {
    const asked = kind.read(request.body as B)
    return write(request, reply, async (tx, member) => {
      const { organizationId, projectId } = member
      const body = toWire(organizationId, await changes.create(tx, member, asked))
      const location = `${baseUrl()}/api/v1/organizations/${organizationId}/projects/${projectId}/${what}s/${body._id}`
      return { status: 201, body, headers: { location } }
    })
  })

  const get = { schema: schemas.get, config: memberAccess(`get${name}`, 'projects:read') }
  app.get(one, get, async ({ member, params }) =>
    toWire(member.organizationId, orNotFound(await store.find(db, member.projectId, idOf(params)))),
  )

  const update = { schema: schemas.update, config: memberAccess(`update${name}`, 'projects:write') }
  app.patch(one, update, async (request, reply) => {
    const id = idOf(request.params)
    const body = request.body as Sent<ReleaseChanges<N>>
    const changed = [...kind.texts, 'status' as const]
    const sent = Object.fromEntries(changed.map((field): [string, unknown] => [field, body[field]]))
    return write(request, reply, async (tx, member) => {
      const release = await changes.update(tx, member, id, sent as Sent<ReleaseChanges<N>>)
      return { status: 200, body: toWire(member.organizationId, release) }
    })
  })
}
