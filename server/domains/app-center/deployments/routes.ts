import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { orNotFound } from '#platform/errors.ts'
import { sendList } from '#platform/lists/send-list.ts'
import { makeMemberWrite, memberAccess, objectIdOf } from '../access/index.ts'
import type { Dependencies } from '../dependencies.ts'
import { makeDeploymentChanges } from './change-deployment.ts'
import { toWire } from './deployment.ts'
import { createSchema, getSchema, listSchema, updateSchema } from './schemas.ts'
import { findDeployment, listDeployments } from './store.ts'

const path = '/api/v1/organizations/:organizationId/projects/:projectId/deployments'
const idOf = (params: { readonly deploymentId: string }): string => objectIdOf('deploymentId', params.deploymentId)

/** Builds and code pushes of a project (contract, sections 3 and 11). */
export const deploymentRoutes =
  (dependencies: Dependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, baseUrl } = dependencies
    const write = makeMemberWrite(dependencies.write)
    const changes = makeDeploymentChanges(dependencies)

    const list = memberAccess('listDeployments', 'projects:read')
    app.get(path, { schema: listSchema, config: list }, async (request, reply) => {
      const { organizationId, projectId } = request.member
      return sendList(reply, baseUrl(), await listDeployments(db, request.query, projectId), (row) =>
        toWire(organizationId, row),
      )
    })

    const create = memberAccess('createDeployment', 'projects:write')
    app.post(path, { schema: createSchema, config: create }, async (request, reply) =>
      write(request, reply, async (tx, member) => {
        const { type, platform, environment, envVersion = null, tag = null, description = null } = request.body
        const { status = 'created' } = request.body
        const fields = { type, platform, environment, envVersion, tag, description, status }
        const deployment = toWire(member.organizationId, await changes.create(tx, member, fields))
        const location = `${baseUrl()}/api/v1/organizations/${deployment.organization}/projects/${deployment.project}/deployments/${deployment._id}`
        return { status: 201, body: deployment, headers: { location } }
      }),
    )

    const get = memberAccess('getDeployment', 'projects:read')
    app.get(`${path}/:deploymentId`, { schema: getSchema, config: get }, async ({ member, params }) => {
      return toWire(member.organizationId, orNotFound(await findDeployment(db, member.projectId, idOf(params))))
    })

    const update = memberAccess('updateDeployment', 'projects:write')
    app.patch(`${path}/:deploymentId`, { schema: updateSchema, config: update }, async (request, reply) => {
      const id = idOf(request.params)
      return write(request, reply, async (tx, member) => {
        const { envVersion, tag, description, status } = request.body
        const deployment = await changes.update(tx, member, id, { envVersion, tag, description, status })
        return { status: 200, body: toWire(member.organizationId, deployment) }
      })
    })
  }
