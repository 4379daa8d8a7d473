import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { TUnsafe } from 'typebox'
import { recordRoutes, type App } from '#platform/http/record-routes.ts'
import { makeRouteOptions } from '#platform/http/route-options.ts'
import type { Page } from '#platform/lists/page.ts'
import type { Sent } from '#platform/sent-fields.ts'
import { changing, makeMemberWrite, objectIdOf, reading } from '../access/index.ts'
import type { Dependencies } from '../dependencies.ts'
import { makeReleaseChanges, type ReleaseRules } from './change-release.ts'
import { projectErrors } from '../schemas.ts'
import { deploymentRules, distributionRules, type AskedDistribution } from './release-rules.ts'
import { deploymentToWire, distributionToWire, type Release } from './release.ts'
import {
  deploymentSchemas,
  distributionSchemas,
  ProjectPath,
  type DeploymentBody,
  type DistributionBody,
} from './schemas.ts'
import { deploymentList, distributionList, type ReleaseChanges } from './store.ts'

/** Builds and code pushes of a project, and these on their way to stores and testers (contract, sections 3 and 11). */
export const releaseRoutes =
  (dependencies: Dependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    addRoutes(app, dependencies, {
      name: 'Deployment',
      rules: deploymentRules,
      schemas: deploymentSchemas,
      toWire: deploymentToWire,
      list: deploymentList,
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
      list: distributionList,
      read: (body: DistributionBody): AskedDistribution => {
        const { deployment, target, platform, environment, status } = body
        const { envVersion, storeVersion = null, tag, publisher, versionCode = null } = body
        const texts = { envVersion, storeVersion, tag, publisher, versionCode }
        return { deploymentId: objectIdOf('deployment', deployment), target, platform, environment, status, ...texts }
      },
    })
  }

interface ReleaseKind<N extends object, Asked, B> {
  readonly name: 'Deployment' | 'Distribution'
  readonly rules: ReleaseRules<N, Asked>
  readonly schemas: typeof deploymentSchemas | typeof distributionSchemas
  readonly list: { readonly querystring: TUnsafe<Page> }
  readonly toWire: (release: N & Release, organizationId: string) => object
  readonly read: (body: B) => Asked
}

const addRoutes = <N extends object, Asked, B>(
  app: App,
  dependencies: Dependencies,
  kind: ReleaseKind<N, Asked, B>,
) => {
  const { name, rules, schemas, toWire } = kind
  const { what, store } = rules
  const path = `/api/v1/organizations/:organizationId/projects/:projectId/${what}s`
  const idOf = ({ params }: FastifyRequest): string =>
    objectIdOf(`${what}Id`, (params as Readonly<Record<string, string>>)[`${what}Id`] ?? '')
  const write = makeMemberWrite(dependencies.write)
  const changes = makeReleaseChanges(dependencies, rules)
  const releases = recordRoutes<N & Release, string>(
    app,
    { ...dependencies, write },
    {
      path,
      params: ProjectPath,
      one: { path: `${path}/:${what}Id`, params: schemas.params, idOf },
      route: makeRouteOptions(`${name}s`, projectErrors),
      record: schemas.record,
      toWire: (release, { member }) => toWire(release, member.organizationId),
      pathOf: ({ id, projectId }, { member }) =>
        `/api/v1/organizations/${member.organizationId}/projects/${projectId}/${what}s/${id}`,
    },
  )

  const listed = 'The newest first, unless `ordering` says otherwise.'
  releases.list(reading(`list${name}s`, `List a project's ${what}s`, listed), kind.list, (db, query, { member }) =>
    store.list(db, query, member.projectId),
  )
  releases.create(changing(`create${name}`, ...schemas.create), schemas.NewBody, (tx, body, { member }) =>
    changes.create(tx, member, kind.read(body as B)),
  )
  releases.get(reading(`get${name}`, `Read a ${what}`), (db, id, { member }) => store.find(db, member.projectId, id))
  releases.update(changing(`update${name}`, ...schemas.update), schemas.Changes, (tx, id, body, { member }) => {
    const changed = [...Object.keys(schemas.texts), 'status']
    const sent = Object.fromEntries(Object.entries(body).filter(([field]) => changed.includes(field)))
    return changes.update(tx, member, id, sent as Sent<ReleaseChanges<N>>)
  })
}
