import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { orNotFound } from '#platform/errors.ts'
import { sendList } from '#platform/lists/send-list.ts'
import { makeMemberWrite, memberAccess, objectIdOf } from '../access/index.ts'
import type { Dependencies } from '../dependencies.ts'
import { makeDistributionChanges } from './change-distribution.ts'
import { toWire } from './distribution.ts'
import { createSchema, getSchema, listSchema, updateSchema } from './schemas.ts'
import { findDistribution, listDistributions } from './store.ts'

const path = '/api/v1/organizations/:organizationId/projects/:projectId/distributions'
const idOf = (params: { readonly distributionId: string }): string =>
  objectIdOf('distributionId', params.distributionId)

/** Deployments of a project on their way to stores and testers (contract, sections 3 and 11). */
export const distributionRoutes =
  (dependencies: Dependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, baseUrl } = dependencies
    const write = makeMemberWrite(dependencies.write)
    const changes = makeDistributionChanges(dependencies)

    const list = memberAccess('listDistributions', 'projects:read')
    app.get(path, { schema: listSchema, config: list }, async (request, reply) => {
      const { organizationId, projectId } = request.member
      return sendList(reply, baseUrl(), await listDistributions(db, request.query, projectId), (row) =>
        toWire(organizationId, row),
      )
    })

    const create = memberAccess('createDistribution', 'projects:write')
    app.post(path, { schema: createSchema, config: create }, async (request, reply) => {
      const { deployment, target, platform, environment, status, ...texts } = request.body
      const { envVersion, storeVersion = null, tag, publisher, versionCode = null } = texts
      const deploymentId = objectIdOf('deployment', deployment)
      const where = { deploymentId, target, platform, environment }
      const asked = { ...where, envVersion, storeVersion, tag, publisher, versionCode, status }
      return write(request, reply, async (tx, member) => {
        const distribution = toWire(member.organizationId, await changes.create(tx, member, asked))
        const location = `${baseUrl()}/api/v1/organizations/${distribution.organization}/projects/${distribution.project}/distributions/${distribution._id}`
        return { status: 201, body: distribution, headers: { location } }
      })
    })

    const get = memberAccess('getDistribution', 'projects:read')
    app.get(`${path}/:distributionId`, { schema: getSchema, config: get }, async ({ member, params }) => {
      return toWire(member.organizationId, orNotFound(await findDistribution(db, member.projectId, idOf(params))))
    })

    const update = memberAccess('updateDistribution', 'projects:write')
    app.patch(`${path}/:distributionId`, { schema: updateSchema, config: update }, async (request, reply) => {
      const id = idOf(request.params)
      return write(request, reply, async (tx, member) => {
        const { envVersion, storeVersion, tag, publisher, versionCode, status } = request.body
        const sent = { envVersion, storeVersion, tag, publisher, versionCode, status }
        return { status: 200, body: toWire(member.organizationId, await changes.update(tx, member, id, sent)) }
      })
    })
  }
