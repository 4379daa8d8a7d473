import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { orNotFound } from '#platform/errors.ts'
import { pageOf } from '#platform/lists/page.ts'
import { sendList } from '#platform/lists/send-list.ts'
import { makeMemberWrite } from '../access/index.ts'
import type { Dependencies } from '../dependencies.ts'
import { makeProjectChanges, readProjectInput } from './change-project.ts'
import { expirationsOf } from './expirations.ts'
import { readProjectRecord, toRecord } from './project-record.ts'
import { createOptions, expirationsOptions, getOptions, listOptions, updateOptions } from './schemas.ts'
import { findProject, listProjects } from './store.ts'

const collection = '/api/v1/organizations/:organizationId/projects'
const one = `${collection}/:projectId`

/** Projects of an organization (document 1, "Project"; contract, section 3). */
export const projectRoutes =
  (dependencies: Dependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, clock, vault, baseUrl } = dependencies
    const write = makeMemberWrite(dependencies.write)
    const changes = makeProjectChanges(dependencies)

    app.get(collection, listOptions, async (request, reply) => {
      const found = await listProjects(db, vault, request.query, request.member.organizationId)
      return sendList(reply, baseUrl(), found, toRecord)
    })

    app.post(collection, createOptions, async (request, reply) => {
      const { name, slug } = request.body
      const input = { ...readProjectInput(request.body), name, slug }
      return write(request, reply, async (tx, member) => {
        const project = toRecord(await changes.create(tx, member, input))
        const location = `${baseUrl()}/api/v1/organizations/${project.organization}/projects/${project._id}`
        return { status: 201, body: project, headers: { location } }
      })
    })

    app.get(one, getOptions, ({ member }) => readProjectRecord(db, vault, member.projectId))

    app.patch(one, updateOptions, async (request, reply) => {
      const input = readProjectInput(request.body)
      return write(request, reply, async (tx, member) => {
        const project = await changes.update(tx, member, input)
        return { status: 200, body: toRecord(project) }
      })
    })

    app.get(`${one}/expirations`, expirationsOptions, async ({ member, query }, reply) => {
      const project = orNotFound(await findProject(db, vault, member.projectId))
      const all = expirationsOf(project, clock.now(), query.days)
      return sendList(reply, baseUrl(), pageOf(all, query))
    })
  }
