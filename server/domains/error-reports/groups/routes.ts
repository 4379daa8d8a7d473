import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { invalidField, notFound } from '#platform/errors.ts'
import { sendList } from '#platform/lists/send-list.ts'
import { notATime, parseTime } from '#platform/time-text.ts'
import type { Dependencies } from '../dependencies.ts'
import type { makeActOnAll } from './act-on-all.ts'
import { changeGroup } from './change-group.ts'
import { toWire } from './group.ts'
import * as schemas from './schemas.ts'
import { findGroup, listGroups } from './store.ts'

const read = { access: { role: 'staff', scope: 'error-reports:read' } } as const
const write = { access: { role: 'staff', scope: 'error-reports:write' } } as const
const path = '/api/v1/error_report_groups'

/** Groups of reports with one cause. */
export const groupRoutes =
  (
    { db, clock, baseUrl, ...dependencies }: Dependencies,
    actOnAll: ReturnType<typeof makeActOnAll>,
  ): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(path, { schema: schemas.listSchema, config: read }, async (request, reply) => {
      const now = clock.now()
      return sendList(reply, baseUrl(), await listGroups(db, request.query, now), (group) => toWire(group, now))
    })

    app.get(`${path}/:id`, { schema: schemas.getSchema, config: read }, async (request) => {
      const group = await findGroup(db, request.params.id)
      if (group === undefined) throw notFound()
      return toWire(group, clock.now())
    })

    app.patch(`${path}/:id`, { schema: schemas.updateSchema, config: write }, async (request, reply) => {
      const { state, ignored_until: until, assignee, note } = request.body
      const wanted = { state, ignoredUntil: readTime(until), assignee, note }
      return dependencies.write(request, reply, async (tx) => {
        const now = clock.now()
        const group = await changeGroup(tx, request.params.id, wanted, { by: request.principal.userId, now })
        return { status: 200, body: toWire(group, now) }
      })
    })

    app.get(`${path}/:id/count`, { schema: schemas.countSchema, config: read }, async (request) => ({
      count: await actOnAll.count(request.params.id),
    }))

    app.post(`${path}/:id/resolve_all`, { schema: schemas.resolveAllSchema, config: write }, async (request, reply) => {
      const { id } = request.params
      if (request.query.dry_run === true)
        return { status: 'dry_run' as const, total: await actOnAll.count(id), resolved: 0 }
      return dependencies.write(request, reply, async (tx) => ({
        status: 200,
        body: await actOnAll.resolve(tx, id, request.principal.userId),
      }))
    })

    app.post(`${path}/:id/retry_all`, { schema: schemas.retryAllSchema, config: write }, async (request, reply) => {
      const { id } = request.params
      if (request.query.dry_run === true)
        return { status: 'dry_run' as const, ...(await actOnAll.outlook(id, request.principal)) }
      return dependencies.write(request, reply, async (tx) => ({
        status: 200,
        body: await actOnAll.retry(tx, id, { who: request.principal, requestId: request.id }),
      }))
    })
  }

const readTime = (text: string | null | undefined): Date | null | undefined => {
  if (text === undefined || text === null) return text
  const time = parseTime(text)
  if (time === undefined) throw invalidField('ignored_until', notATime)
  return time
}
